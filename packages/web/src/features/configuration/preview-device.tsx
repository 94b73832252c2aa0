import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { StatusTag, Tag, type Tone } from '../../ui/status.tsx';
import { findingText } from './finding.ts';

type Device = Data<'/api/v3/network/wireless/preview'>['devices'][number];
const tones: Record<Device['effect'], Tone> = { changed: 'brand', unchanged: 'none', wrong: 'bad', unknown: 'warn' };

/** One device of the preview; opens to the values that change. */
export function PreviewDevice({ device }: { device: Device }) {
  const lines = device.changes.flatMap(leavesOf);
  const n = lines.length + device.more;
  const first = device.first && device.effect === 'changed';
  return (
    <details className="preview-device" open={device.effect === 'wrong'}>
      <summary>
        <Icon name="chevron_right" size={14} />
        <strong className="ellipsis">{device.name}</strong>
        {device.status !== 'online' && <StatusTag status={device.status} />}
        <span className="small dim">{n > 0 && t(first ? 'wireless.first_values' : 'wireless.changes', { n })}</span>
        <Tag tone={tones[device.effect]}>{t(`wireless.effect_${device.effect}`)}</Tag>
      </summary>
      {first && <p className="small preview-note">{t('wireless.first')}</p>}
      {device.wired && <p className="small preview-note">{t('wireless.wired')}</p>}
      {device.findings.length > 0 && (
        <ul className="small findings">
          {device.findings.map((finding) => (
            <li key={`${finding.code}${finding.field}`} data-severity={finding.severity}>
              <Icon name={finding.severity === 'wrong' ? 'alert' : 'info'} size={14} />
              {findingText(finding)}
            </li>
          ))}
        </ul>
      )}
      {n > 0 && (
        <table className="plain-table diff">
          <tbody>
            {lines.map((change) => (
              <tr key={change.path}>
                <td className="mono small">{change.path}</td>
                <td>
                  <del>{show(change.before)}</del> <ins>{show(change.after)}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {device.more > 0 && <p className="small dim">{t('wireless.more_changes', { n: device.more })}</p>}
    </details>
  );
}

type Change = Device['changes'][number];

/** A whole section that comes or goes is shown value by value; a first configuration would be one long line otherwise. */
function leavesOf(change: Change): Change[] {
  const { before, after, path } = change;
  const whole = before ?? after;
  if (before !== null && before !== undefined && after !== null && after !== undefined) return [change];
  if (typeof whole !== 'object' || whole === null) return [change];
  if (Array.isArray(whole) && whole.every((each) => typeof each !== 'object')) return [change];
  return Object.entries(whole).flatMap(([key, value]) =>
    leavesOf({
      path: path.endsWith('/') || !path ? `${path}${key}` : `${path}/${key}`,
      before: whole === before ? value : null,
      after: whole === after ? value : null,
    }),
  );
}

/** A value of a document as text; what is not there is empty. */
function show(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
