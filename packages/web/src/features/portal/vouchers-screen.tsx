import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Vouchers } from './vouchers.tsx';
import './portal.css';

const maxNetworks = 200;

/** All that a reception works with: the networks with a portal, and their vouchers. */
export function VouchersScreen() {
  const [chosen, choose] = useState<string | null>(null);
  const networks = useRead('/api/v3/portal/voucher/network/list', { page: 1, limit: maxNetworks });
  const list = networks.data?.list ?? [];
  const gwid = chosen ?? list[0]?.gwid ?? null;
  return (
    <Page title={t('home.vouchers')}>
      {networks.isPending && <Skeleton height={240} />}
      {networks.error && <Failed error={networks.error} retry={() => void networks.refetch()} />}
      {networks.data && gwid === null && (
        <Empty icon="card" title={t('site_portal.voucher_networks_empty')}>
          {t('site_portal.voucher_networks_empty_body')}
        </Empty>
      )}
      {gwid !== null && (
        <>
          {list.length > 1 && (
            <SelectField
              label={t('site_portal.voucher_network')}
              value={gwid}
              onChange={choose}
              options={list.map((network) => ({ value: network.gwid, label: network.name }))}
            />
          )}
          <Vouchers key={gwid} gwid={gwid} ready />
        </>
      )}
    </Page>
  );
}
