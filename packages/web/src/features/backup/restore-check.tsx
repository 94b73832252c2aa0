import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { DropFacts, PreviewDevice } from '../configuration/index.ts';
import { Changes } from './changes.tsx';

type Check = Data<'/api/v3/cloud_backup/restore_check'>;

export function RestoreCheck({ data }: { data: Check }) {
  const { totals, devices } = data.preview;
  const touched = devices.filter(({ effect }) => effect !== 'unchanged');
  const left = data.not_restored.filter(({ what }) => !always.has(what));
  return (
    <div className="stack">
      {data.problems.length > 0 && (
        <div className="notice notice-bad backup-notice">
          <p>{t('backup.does_not_fit')}</p>
          <ul className="small">
            {data.problems.map(({ field, message }) => (
              <li key={field + message}>
                <span className="mono">{field}</span> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {left.length > 0 && (
        <div className="notice backup-notice">
          <p>{t('backup.left_out')}</p>
          <ul className="small">
            {left.map((one) => (
              <li key={JSON.stringify(one)}>{leftText(one)}</li>
            ))}
          </ul>
        </div>
      )}
      {data.problems.length === 0 &&
        (totals.devices === 0 ? <p>{t('backup.preview_nobody')}</p> : <Reach data={data} />)}
      <details className="preview-device">
        <summary>
          <Icon name="chevron_right" size={14} />
          <strong>{t('backup.settings_change')}</strong>
          <span className="small dim">
            {t('backup.changes_n', { n: data.settings.changes.length + data.settings.more })}
          </span>
        </summary>
        <Changes diff={data.settings} same={t('backup.same_now')} />
      </details>
      {touched.map((device) => (
        <PreviewDevice key={device.serial} device={device} />
      ))}
      <details className="preview-device">
        <summary>
          <Icon name="chevron_right" size={14} />
          <strong>{t('backup.never_back')}</strong>
        </summary>
        <ul className="small">
          {data.not_restored
            .filter(({ what }) => always.has(what))
            .map((one) => (
              <li key={one.what}>{leftText(one)}</li>
            ))}
        </ul>
      </details>
    </div>
  );
}

function Reach({ data }: { data: Check }) {
  const { totals } = data.preview;
  return (
    <>
      <p>
        <strong>{t('backup.preview_sum', { changed: totals.changed, devices: totals.devices })}</strong>
      </p>
      {totals.terminals > 0 && <p className="quiet">{t('wireless.preview_terminals', { n: totals.terminals })}</p>}
      <DropFacts drops={data.preview.drops} />
      {totals.offline > 0 && <p className="quiet">{t('wireless.preview_offline', { n: totals.offline })}</p>}
      <p className="backup-return">
        <Icon name={data.returns_within_s === null ? 'info' : 'shield'} size={16} />
        <span>
          {data.returns_within_s === null
            ? t('backup.no_return')
            : t('backup.returns', { seconds: data.returns_within_s })}
        </span>
      </p>
    </>
  );
}

type Left = Check['not_restored'][number];

const always: ReadonlySet<Left['what']> = new Set(['firmware', 'certificates', 'on_device', 'names', 'records']);

function leftText({ what, params }: Left): string {
  if (what === 'section_empty')
    return t('backup.left_section_empty', { section: t(`backup.section_${String(params.section) as 'wireless'}`) });
  if (what === 'radio_dropped') {
    const band = t(`wireless.band_${String(params.band) as '2G'}`);
    return params.name
      ? t('backup.left_radio_dropped_of', { name: params.name, band })
      : t('backup.left_radio_dropped', { band });
  }
  return t(`backup.left_${what}`, params);
}
