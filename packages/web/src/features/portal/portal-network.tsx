import { type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export const maxNetworks = 200;

export function PortalNetwork({
  path,
  empty,
  children,
}: {
  path: '/api/v3/portal/voucher/network/list' | '/api/v3/portal/reception/network/list';
  empty: string;
  children: (gwid: string) => ReactNode;
}) {
  const [chosen, choose] = useState<string | null>(null);
  const networks = useRead(path, { page: 1, limit: maxNetworks });
  const list = networks.data?.list ?? [];
  const gwid = chosen ?? list[0]?.gwid ?? null;
  return (
    <>
      {networks.isPending && <Skeleton height={240} />}
      {networks.error && <Failed error={networks.error} retry={() => void networks.refetch()} />}
      {networks.data && gwid === null && (
        <Empty icon="card" title={t('site_portal.voucher_networks_empty')}>
          {empty}
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
          {children(gwid)}
        </>
      )}
    </>
  );
}
