import { t } from '../../app/i18n.ts';
import { CodeSheet } from '../../ui/code-sheet.tsx';
import { duration, minuteTime } from '../../ui/format.ts';
import type { Made } from './voucher-dialog.tsx';

export function VoucherSheet({ batch, onClose }: { batch: Made; onClose: () => void }) {
  const { name, codes, minutes, devices } = batch;
  const until = minuteTime(new Date(batch.until));
  const terms = t(minutes === 0 ? 'site_portal.code_terms_free' : 'site_portal.code_terms', {
    time: duration(minutes * 60),
    devices,
    until,
  });
  const title = t('site_portal.codes_title', { name, n: codes.length });
  return <CodeSheet title={title} name={name} codes={codes} terms={terms} kept onClose={onClose} />;
}
