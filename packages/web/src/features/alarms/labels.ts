import type { AlarmKind, AlarmState } from '@yunxun/contract';
import { type AlarmUnit, alarmKinds, kindParts } from '@yunxun/contract/alarm-kinds';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { mac } from '../../ui/format.ts';
import type { Tone } from '../../ui/status.tsx';

export type AlarmRow = Row<'/api/v3/alarm/list'>;

export const kindOptions = () => alarmKinds.map((value) => ({ value, label: t(`alarm.kind_${value}`) }));

/** Of thresholds. */
export function unitText(kind: AlarmKind): string {
  const { unit } = kindParts[kind];
  return unit === 'd' ? t('alarm.unit_days') : unit;
}

const stateTones: Record<AlarmState, Tone> = {
  firing: 'bad',
  acknowledged: 'info',
  silenced: 'none',
  recovered: 'ok',
};

export function stateText({ state, lasts }: Pick<AlarmRow, 'state' | 'lasts'>): string {
  return lasts ? t('alarm.state_closed') : t(`alarm.state_${state}`);
}

/** Only a problem that is over is green. */
export function stateTone({ state, lasts }: Pick<AlarmRow, 'state' | 'lasts'>): Tone {
  return lasts ? 'none' : stateTones[state];
}

/** Names the WAN, or the folder, where it is one of several. */
export function kindText({ kind, part }: Pick<AlarmRow, 'kind' | 'part'>): string {
  return part ? `${t(`alarm.kind_${kind}`)} · ${part}` : t(`alarm.kind_${kind}`);
}

export function nameText({ name, serial }: Pick<AlarmRow, 'name' | 'serial'>): string {
  return name || (serial === null ? t('alarm.account') : mac(serial));
}

const valueTexts: Readonly<Record<AlarmUnit, (value: number) => string>> = {
  '': (value) => String(value),
  '%': (value) => `${value}%`,
  '°C': (value) => `${value} °C`,
  ms: (value) => `${value} ms`,
  'Mbit/s': (value) => `${value} Mbit/s`,
  d: (value) => `${value} ${t('alarm.unit_days')}`,
  orders: (n) => t('alarm.orders', { n }),
  messages: (n) => t('alarm.messages_left', { n }),
};

export function valueText(kind: AlarmKind, value: number): string {
  return valueTexts[kindParts[kind].unit](value);
}
