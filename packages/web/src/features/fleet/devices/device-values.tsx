import type { Data } from '../../../app/api.ts';
import { t, textOf } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Failed } from '../../../ui/empty.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { findingText, modeNames } from '../../configuration/index.ts';

type Effective = Data<'/api/v3/ap/effective/get'>;
type Field = Effective['fields'][number];

export function DeviceValues({ serial }: { serial: string }) {
  const { data, error, refetch } = useRead('/api/v3/ap/effective/get', { serial });
  // a value the device cannot apply differs from the one configured
  const findings = useRead('/api/v3/device/config/get', { serial }).data?.findings ?? [];
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={10}>
      {data && (
        <div className="stack">
          <p className="small dim">{t('values.order')}</p>
          {findings.length > 0 && (
            <div className="notice notice-warn" role="note">
              <ul>
                {findings.map((finding) => (
                  <li key={`${finding.code}${finding.field}`}>{findingText(finding)}</li>
                ))}
              </ul>
            </div>
          )}
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('values.field')}</th>
                <th>{t('values.value')}</th>
                <th>{t('values.from')}</th>
              </tr>
            </thead>
            <tbody>
              {data.fields.map((field) => (
                <tr key={field.field}>
                  <td>{fieldName(field.field)}</td>
                  <td>{valueText(field)}</td>
                  <td>
                    <From source={field.source} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <section>
            <h3 className="section-title">{t('wireless.ssids')}</h3>
            {data.ssids.length === 0 ? (
              <p className="small dim">{t('wireless.none')}</p>
            ) : (
              <table className="plain-table">
                <tbody>
                  {data.ssids.map((ssid) => (
                    <tr key={ssid.id}>
                      <td>{ssid.name}</td>
                      <td>{ssid.on ? t('wireless.on') : t('wireless.off')}</td>
                      <td>
                        <From source={ssid.source} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
        </div>
      )}
    </Loading>
  );
}

function From({ source: { layer, name, locked } }: { source: Field['source'] }) {
  return (
    <span className="row nowrap">
      {t(`values.layer_${layer}`)}
      {name && <span className="dim ellipsis">{name}</span>}
      {locked && (
        <span title={t('values.locked')}>
          <Icon name="lock" size={13} />
          <span className="sr">{t('values.locked')}</span>
        </span>
      )}
    </span>
  );
}

function fieldName(path: string): string {
  const [group, band, field] = path.split('.');
  if (group === 'radios' && band && field) {
    const name = textOf(field === 'enabled' ? 'wireless.radio_on' : `wireless.${field}`) ?? field;
    return `${textOf(`wireless.band_${band}`) ?? band} · ${name}`;
  }
  return textOf(`values.field_${path.replace('general.', '')}`) ?? path;
}

const isMode = (value: string | number): value is keyof typeof modeNames => value in modeNames;

function valueText({ field, value }: Field): string {
  if (value === null) return '—';
  if (typeof value === 'boolean') return value ? t('wireless.on') : t('wireless.off');
  if (field.endsWith('.channel')) return value === 'auto' ? t('wireless.channel_auto') : String(value);
  if (field.endsWith('.width')) return `${value} MHz`;
  if (field.endsWith('.power')) return textOf(`wireless.power_${value}`) ?? String(value);
  if (field.endsWith('.mode') && isMode(value)) return modeNames[value];
  if (field === 'general.minimum_rssi') return value === 0 ? t('values.no_minimum') : `${value} dBm`;
  return String(value);
}
