import { t } from '../../app/i18n.ts';
import { CodeSheet } from '../../ui/code-sheet.tsx';
import type { Made } from './voucher-dialog.tsx';

export function VoucherSheet({ batch, onClose }: { batch: Made; onClose: () => void }) {
  const { name, codes, minutes, devices } = batch;
  const terms =
    minutes === 0 ? t('site_portal.code_terms_free', { devices }) : t('site_portal.code_terms', { minutes, devices });
  const title = t('site_portal.codes_title', { name, n: codes.length });
  return <CodeSheet title={title} name={name} codes={codes} terms={terms} onClose={onClose} />;
}
