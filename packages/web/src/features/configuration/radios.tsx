import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { Card } from '../../ui/page.tsx';
import { type Band, bands, type Draft, modeNames, type Radio, radioOf, type WirelessSettings } from './draft.ts';
import { channelName, everything, onOff, type RadioField, RadioTable } from './radio-table.tsx';
import './configuration.css';

type Effective = WirelessSettings['defaults'][number];

export function effectiveText(effective: Effective, field: RadioField): string {
  if (field === 'enabled') return onOff(effective.enabled.value);
  if (field === 'channel') return channelName(effective.channel.value);
  if (field === 'width') return `${effective.width.value} MHz`;
  if (field === 'power') return t(`wireless.power_${effective.power.value}`);
  return modeNames[effective.mode.value];
}

function inheritedText(effective: Effective, field: RadioField): string {
  const { source, locked } = effective[field];
  const value = effectiveText(effective, field);
  if (source === 'default' || source === 'device') return t('wireless.inherit', { value });
  return t(locked ? `override.locked_${source}` : `override.from_${source}`, { value });
}

export function Radios(props: {
  draft: Draft;
  defaults: readonly Effective[];
  change: (radios: readonly Radio[]) => void;
  readOnly: boolean;
  extra?: ((band: Band, field: RadioField) => ReactNode) | undefined;
}) {
  const set = (band: Band, part: Partial<Radio>) =>
    props.change(
      bands.map((each) => (each === band ? { ...radioOf(props.draft, each), ...part } : radioOf(props.draft, each))),
    );
  const standardOf = (band: Band) => props.defaults.find((each) => each.band === band);
  return (
    <Card title={t('wireless.radios')}>
      <RadioTable
        bands={bands}
        radioOf={(band) => radioOf(props.draft, band)}
        inherited={(band, field) => {
          const standard = standardOf(band);
          return standard ? inheritedText(standard, field) : t('wireless.inherit', { value: '—' });
        }}
        locked={(band, field) => standardOf(band)?.[field].locked ?? false}
        extra={props.extra}
        offer={everything}
        set={set}
        readOnly={props.readOnly}
      />
    </Card>
  );
}
