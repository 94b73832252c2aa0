import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { type Draft, generalLabels } from './draft.ts';

type General = Draft['general'];

const flags = ['leds', 'fast_roaming', 'neighbour_reports'] as const;
/** Offered levels in dBm; the contract allows any integer in the range. */
const levels = [-90, -85, -80, -75, -70, -65, -60] as const;

/** Access point settings other than SSIDs and radios; unset fields are left to lower layers. */
export function GeneralCard(props: {
  value: General;
  onChange: (value: General) => void;
  readOnly: boolean;
  extra: (field: keyof General) => ReactNode;
}) {
  const { value, onChange, readOnly, extra } = props;
  const shown: readonly number[] =
    value.minimum_rssi === null || value.minimum_rssi === 0 ? levels : [...new Set([...levels, value.minimum_rssi])];
  return (
    <Card title={t('template.general')}>
      <div className="general">
        {flags.map((field) => (
          <div key={field} className="lockable">
            <SelectField
              label={t(generalLabels[field])}
              hint={t(`template.${field}_hint`)}
              disabled={readOnly}
              value={value[field] === null ? '' : value[field] ? 'on' : 'off'}
              options={[
                { value: '', label: t('template.not_set') },
                { value: 'on', label: t('wireless.on') },
                { value: 'off', label: t('wireless.off') },
              ]}
              onChange={(chosen) => onChange({ ...value, [field]: chosen === '' ? null : chosen === 'on' })}
            />
            {extra(field)}
          </div>
        ))}
        <div className="lockable">
          <SelectField
            label={t('template.minimum_rssi')}
            hint={t('template.minimum_rssi_hint')}
            disabled={readOnly}
            value={value.minimum_rssi === null ? '' : String(value.minimum_rssi)}
            options={[
              { value: '', label: t('template.not_set') },
              { value: '0', label: t('template.no_minimum') },
              ...shown.map((level) => ({ value: String(level), label: `${level} dBm` })),
            ]}
            onChange={(chosen) => onChange({ ...value, minimum_rssi: chosen === '' ? null : Number(chosen) })}
          />
          {extra('minimum_rssi')}
        </div>
      </div>
    </Card>
  );
}
