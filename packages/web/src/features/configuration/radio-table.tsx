import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { SelectField } from '../../ui/field.tsx';
import { roles } from '../../ui/table/roles.ts';
import { type Band, channels, modeNames, modes, powers, type Radio, widths } from './draft.ts';

export type RadioField = 'enabled' | 'channel' | 'width' | 'power' | 'mode';

export interface Offer {
  channels: readonly number[];
  widths: readonly (20 | 40 | 80 | 160 | 320)[];
  modes: readonly ('HT' | 'VHT' | 'HE' | 'EHT')[];
}

export const everything = (band: Band): Offer => ({
  channels: channels[band],
  widths: widths[band],
  modes: modes[band],
});

interface Props {
  bands: readonly Band[];
  radioOf: (band: Band) => Radio;
  /** Label of "not set here": the inherited value and its source. */
  inherited: (band: Band, field: RadioField) => string;
  offer: (band: Band) => Offer;
  set: (band: Band, part: Partial<Radio>) => void;
  readOnly: boolean;
  locked?: ((band: Band, field: RadioField) => boolean) | undefined;
  extra?: ((band: Band, field: RadioField) => ReactNode) | undefined;
}

export function RadioTable(props: Props) {
  return (
    <table role={roles.table} className="plain-table radio-table">
      <thead role={roles.rows}>
        <tr role={roles.row}>
          <th role={roles.column}>{t('wireless.bands')}</th>
          <th role={roles.column}>{t('wireless.radio_on')}</th>
          <th role={roles.column}>{t('wireless.channel')}</th>
          <th role={roles.column}>{t('wireless.width')}</th>
          <th role={roles.column}>{t('wireless.power')}</th>
          <th role={roles.column}>{t('wireless.mode')}</th>
        </tr>
      </thead>
      <tbody role={roles.rows}>
        {props.bands.map((band) => (
          <RadioRow key={band} {...props} band={band} />
        ))}
      </tbody>
    </table>
  );
}

export const onOff = (on: boolean) => (on ? t('wireless.on') : t('wireless.off'));
export const channelName = (value: number | 'auto') => (value === 'auto' ? t('wireless.channel_auto') : String(value));

function RadioRow({ band, radioOf, inherited, offer, set, readOnly, locked, extra }: Props & { band: Band }) {
  const radio = radioOf(band);
  const offered = offer(band);
  const name = t(`wireless.band_${band}`);
  const choice = <V extends string>(
    field: RadioField,
    label: string,
    value: V | '',
    options: readonly { value: V; label: string }[],
    pick: (value: V | null) => void,
  ) => (
    <td role={roles.cell}>
      <div className={extra ? 'lockable' : undefined}>
        <SelectField
          small
          hideLabel
          label={`${name} ${label}`}
          value={locked?.(band, field) ? '' : value}
          disabled={readOnly || locked?.(band, field)}
          options={[{ value: '', label: inherited(band, field) }, ...options]}
          onChange={(chosen) => pick(chosen === '' ? null : (chosen as V))}
        />
        {extra?.(band, field)}
      </div>
    </td>
  );
  return (
    <tr role={roles.row}>
      <td role={roles.cell}>
        <strong>{name}</strong>
      </td>
      {choice(
        'enabled',
        t('wireless.radio_on'),
        radio.enabled === null ? '' : radio.enabled ? 'on' : 'off',
        (['on', 'off'] as const).map((value) => ({ value, label: onOff(value === 'on') })),
        (value) => set(band, { enabled: value === null ? null : value === 'on' }),
      )}
      {choice(
        'channel',
        t('wireless.channel'),
        radio.channel === null ? '' : String(radio.channel),
        ['auto' as const, ...offered.channels].map((value) => ({ value: String(value), label: channelName(value) })),
        (value) => set(band, { channel: value === null ? null : value === 'auto' ? 'auto' : Number(value) }),
      )}
      {choice(
        'width',
        t('wireless.width'),
        radio.width === null ? '' : String(radio.width),
        offered.widths.map((value) => ({ value: String(value), label: `${value} MHz` })),
        (value) => set(band, { width: offered.widths.find((each) => String(each) === value) ?? null }),
      )}
      {choice(
        'power',
        t('wireless.power'),
        radio.power ?? '',
        powers.map((value) => ({ value, label: t(`wireless.power_${value}`) })),
        (power) => set(band, { power }),
      )}
      {choice(
        'mode',
        t('wireless.mode'),
        radio.mode ?? '',
        offered.modes.map((value) => ({ value, label: modeNames[value] })),
        (mode) => set(band, { mode }),
      )}
    </tr>
  );
}
