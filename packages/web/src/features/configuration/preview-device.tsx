import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { StatusTag, Tag, type Tone } from '../../ui/status.tsx';
import { type Change, ChangeTable, leavesOf } from './change-table.tsx';
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
        <EffectTag effect={device.effect} />
      </summary>
      {first && <p className="small preview-note">{t('wireless.first')}</p>}
      {device.wired && <p className="small preview-note">{t('wireless.wired')}</p>}
      <Findings list={device.findings} />
      <DocumentDiff lines={lines} more={device.more} />
    </details>
  );
}

/** Whether a device would change. */
export function EffectTag({ effect }: Pick<Device, 'effect'>) {
  return <Tag tone={tones[effect]}>{t(`wireless.effect_${effect}`)}</Tag>;
}

/** What of the settings a device does not do, or does otherwise. */
export function Findings({ list }: { list: Device['findings'] }) {
  if (list.length === 0) return null;
  return (
    <ul className="small findings">
      {list.map((finding) => (
        <li key={`${finding.code}${finding.field}`} data-severity={finding.severity}>
          <Icon name={finding.severity === 'wrong' ? 'alert' : 'info'} size={14} />
          {findingText(finding)}
        </li>
      ))}
    </ul>
  );
}

/** The values of a device's document that change, by their paths; `more` are not listed. */
export function DocumentDiff({ lines, more }: { lines: readonly Change[]; more: number }) {
  return (
    <>
      {lines.length > 0 && <ChangeTable lines={lines} />}
      {more > 0 && <p className="small dim">{t('wireless.more_changes', { n: more })}</p>}
    </>
  );
}
