import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { type Change, ChangeTable, leavesOf } from '../../ui/changes/change-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusTag, Tag, type Tone } from '../../ui/status.tsx';
import { findingText } from './finding.ts';
import './configuration.css';

type Device = Data<'/api/v3/network/wireless/preview'>['devices'][number];
const tones: Record<Device['effect'], Tone> = {
  changed: 'brand',
  unchanged: 'none',
  wrong: 'bad',
  unknown: 'warn',
  waiting: 'warn',
  unconfirmed: 'warn',
};

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
      {device.effect === 'waiting' && <p className="small preview-note">{t('wireless.waiting')}</p>}
      {device.wired && <p className="small preview-note">{t('wireless.wired')}</p>}
      <Findings list={device.findings} />
      <DocumentDiff lines={lines} more={device.more} />
    </details>
  );
}

export function EffectTag({ effect }: Pick<Device, 'effect'>) {
  return <Tag tone={tones[effect]}>{t(`wireless.effect_${effect}`)}</Tag>;
}

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

/** `more`: number not listed. */
export function DocumentDiff({ lines, more }: { lines: readonly Change[]; more: number }) {
  return (
    <>
      {lines.length > 0 && <ChangeTable lines={lines} />}
      {more > 0 && <p className="small dim">{t('wireless.more_changes', { n: more })}</p>}
    </>
  );
}
