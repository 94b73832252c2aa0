import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { mac } from '../../ui/format.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { type AssetRow, nameOf } from './labels.ts';

export function Labels({ rows, onClose }: { rows: readonly AssetRow[]; onClose: () => void }) {
  return (
    <Dialog
      wide
      title={t('assets.labels_title', { n: rows.length })}
      onClose={onClose}
      foot={
        <Button kind="primary" icon="printer" onClick={() => window.print()}>
          {t('assets.print')}
        </Button>
      }
    >
      <p className="small dim asset-labels-hint">{t('assets.labels_hint')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list of them scrolls by keyboard too */}
      <ul className="asset-labels" tabIndex={0}>
        {rows.map((row) => (
          <li key={row.id} className="asset-label">
            <QrCode
              text={`${location.origin}/asset/${row.gwid}?asset=${row.id}`}
              label={t('assets.label_code', { name: nameOf(row) })}
              size={88}
            />
            <span className="asset-two">
              <strong>{row.name ?? t(`assets.class_${row.class}`)}</strong>
              {row.name !== null && <span className="small">{t(`assets.class_${row.class}`)}</span>}
              <span className="small mono">{mac(row.id)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
