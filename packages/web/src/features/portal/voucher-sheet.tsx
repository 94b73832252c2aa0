import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { CodeSheet } from '../../ui/code-sheet.tsx';
import { duration, minuteTime } from '../../ui/format.ts';
import { maxNetworks } from './portal-network.tsx';
import type { Made } from './voucher-dialog.tsx';

interface Props {
  gwid: string;
  batch: Made;
  used?: ReadonlySet<string>;
  onClose: () => void;
}

export function VoucherSheet({ gwid, batch, used = new Set(), onClose }: Props) {
  const { name, codes, minutes, devices } = batch;
  const networks = useRead('/api/v3/portal/voucher/network/list', { page: 1, limit: maxNetworks }).data?.list;
  const place = networks?.find((network) => network.gwid === gwid)?.name;
  const until = minuteTime(new Date(batch.until));
  const terms = t(minutes === 0 ? 'site_portal.code_terms_free' : 'site_portal.code_terms', {
    time: duration(minutes * 60),
    devices,
    until,
  });
  const title = t('site_portal.codes_title', { name, n: codes.length });
  return (
    <CodeSheet
      title={title}
      name={name}
      codes={codes}
      terms={terms}
      place={place}
      how={t('site_portal.code_how')}
      used={used}
      kept
      onClose={onClose}
    />
  );
}
