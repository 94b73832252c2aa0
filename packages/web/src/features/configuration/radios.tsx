import { t } from '../../app/i18n.ts';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import {
  type Band,
  bands,
  channels,
  type Draft,
  modeNames,
  modes,
  powers,
  type Radio,
  radioOf,
  type WirelessSettings,
  widths,
} from './draft.ts';

type Default = WirelessSettings['defaults'][number];
const INHERIT = '';

/** Radio settings per band. What is not set says which value it takes instead. */
export function Radios(props: {
  draft: Draft;
  defaults: readonly Default[];
  change: (radios: readonly Radio[]) => void;
  readOnly: boolean;
}) {
  const set = (band: Band, part: Partial<Radio>) =>
    props.change(
      bands.map((each) => (each === band ? { ...radioOf(props.draft, each), ...part } : radioOf(props.draft, each))),
    );
  return (
    <Card title={t('wireless.radios')}>
      <table className="plain-table radio-table">
        <thead>
          <tr>
            <th>{t('wireless.bands')}</th>
            <th>{t('wireless.radio_on')}</th>
            <th>{t('wireless.channel')}</th>
            <th>{t('wireless.width')}</th>
            <th>{t('wireless.power')}</th>
            <th>{t('wireless.mode')}</th>
          </tr>
        </thead>
        <tbody>
          {bands.map((band) => (
            <RadioRow
              key={band}
              radio={radioOf(props.draft, band)}
              standard={props.defaults.find((each) => each.band === band)}
              set={(part) => set(band, part)}
              readOnly={props.readOnly}
            />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const onOff = (on: boolean) => (on ? t('wireless.on') : t('wireless.off'));
const channel = (value: number | 'auto') => (value === 'auto' ? t('wireless.channel_auto') : String(value));

function RadioRow({
  radio,
  standard,
  set,
  readOnly,
}: {
  radio: Radio;
  standard: Default | undefined;
  set: (part: Partial<Radio>) => void;
  readOnly: boolean;
}) {
  const { band } = radio;
  const name = t(`wireless.band_${band}`);
  const choice = <V extends string>(
    label: string,
    value: V | '',
    inherited: string | undefined,
    options: readonly { value: V; label: string }[],
    pick: (value: V | null) => void,
  ) => (
    <td>
      <SelectField
        small
        hideLabel
        label={`${name} ${label}`}
        value={value}
        disabled={readOnly}
        options={[{ value: INHERIT, label: t('wireless.inherit', { value: inherited ?? '—' }) }, ...options]}
        onChange={(chosen) => pick(chosen === INHERIT ? null : (chosen as V))}
      />
    </td>
  );
  return (
    <tr>
      <td>
        <strong>{name}</strong>
      </td>
      {choice(
        t('wireless.radio_on'),
        radio.enabled === null ? '' : radio.enabled ? 'on' : 'off',
        standard && onOff(standard.enabled.value),
        (['on', 'off'] as const).map((value) => ({ value, label: onOff(value === 'on') })),
        (value) => set({ enabled: value === null ? null : value === 'on' }),
      )}
      {choice(
        t('wireless.channel'),
        radio.channel === null ? '' : String(radio.channel),
        standard && channel(standard.channel.value),
        ['auto' as const, ...channels[band]].map((value) => ({ value: String(value), label: channel(value) })),
        (value) => set({ channel: value === null ? null : value === 'auto' ? 'auto' : Number(value) }),
      )}
      {choice(
        t('wireless.width'),
        radio.width === null ? '' : String(radio.width),
        standard && `${standard.width.value} MHz`,
        widths[band].map((value) => ({ value: String(value), label: `${value} MHz` })),
        (value) => set({ width: widths[band].find((each) => String(each) === value) ?? null }),
      )}
      {choice(
        t('wireless.power'),
        radio.power ?? '',
        standard && t(`wireless.power_${standard.power.value}`),
        powers.map((value) => ({ value, label: t(`wireless.power_${value}`) })),
        (power) => set({ power }),
      )}
      {choice(
        t('wireless.mode'),
        radio.mode ?? '',
        standard && modeNames[standard.mode.value],
        modes[band].map((value) => ({ value, label: modeNames[value] })),
        (mode) => set({ mode }),
      )}
    </tr>
  );
}
