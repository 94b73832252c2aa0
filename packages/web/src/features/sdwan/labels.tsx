import type { SdwanNodeStatus, SdwanStatus } from '@yunxun/contract';
import { t, textOf } from '../../app/i18n.ts';
import { date } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { PlanError } from './plan.ts';

const looks = {
  draft: ['none', 'ring'],
  deploying: ['brand', 'turn'],
  waiting: ['brand', 'turn'],
  running: ['ok', 'check'],
  degraded: ['warn', 'triangle'],
  down: ['bad', 'cross'],
  failed: ['bad', 'cross'],
  offline: ['bad', 'cross'],
  gone: ['none', 'cross'],
  expired: ['none', 'cross'],
} as const;

export function SdwanTag({ status }: { status: SdwanStatus | SdwanNodeStatus }) {
  const [tone, shape] = looks[status];
  return (
    <Tag tone={tone} shape={shape}>
      {t(`sdwan.status_${status}`)}
    </Tag>
  );
}

export const toneOf = (status: SdwanNodeStatus) => looks[status][0];

/** Node keys in the parameters become names. */
export function errorText({ code, params }: PlanError, nameOf: (key: string) => string): string {
  const named = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? nameOf(value) : value,
  ]);
  return textOf(`sdwan.error.${code}`, Object.fromEntries(named)) ?? code;
}

export const dayText = (at: string | null): string => (at === null ? t('sdwan.no_end') : date(new Date(at)));
export const bandText = (mbit: number): string => (mbit === 0 ? t('sdwan.band_none') : t('sdwan.mbit', { n: mbit }));
export const latencyText = (ms: number | null): string =>
  ms === null ? '—' : t('sdwan.ms', { n: ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms) });
export const lossText = (pct: number | null): string => (pct === null ? '—' : `${Math.round(pct * 10) / 10}%`);
