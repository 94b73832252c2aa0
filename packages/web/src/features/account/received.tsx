import { useMemo } from 'react';
import { workIn } from '../../app/acting.ts';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import { hostedNetworks, hostingColumns } from './hosting-columns.tsx';

type ReceivedRow = Row<'/api/v3/hosting/received'>;

export function Received() {
  const columns = useMemo(hostingColumns, []);
  return (
    <DataTable
      path="/api/v3/hosting/received"
      name="hosting-received"
      title={t('account.tab_received')}
      columns={columns}
      rowKey={(row) => row.id}
      searchHint={t('hosting.search')}
      actions={(row) => <ReceivedActions delegation={row} />}
      never={
        <Empty icon="share" title={t('received.never')}>
          {t('received.never_body')}
        </Empty>
      }
    />
  );
}

function ReceivedActions({ delegation }: { delegation: ReceivedRow }) {
  const user = useUser();
  const may = useMay('account.write');
  const name = delegation.account_name;
  const giveBack = () =>
    ask({
      title: t('received.leave_title', { name }),
      body: t('received.leave_body', { name }),
      losses: [t('hosting.revoke_networks', { networks: hostedNetworks(delegation) })],
      confirm: t('received.leave'),
      danger: true,
      act: async () => {
        await call('/api/v3/hosting/give_back', { id: delegation.id });
        await queryClient.invalidateQueries();
        notify('ok', t('received.left', { name }));
      },
    });
  return (
    <span className="row">
      <Button
        kind="quiet"
        aria-label={t('received.open_named', { name })}
        onClick={() => void workIn({ account: delegation.account_id, name, person: user.id })}
      >
        {t('received.open')}
      </Button>
      {may && (
        <Button kind="quiet" className="btn-bad" aria-label={t('received.leave_named', { name })} onClick={giveBack}>
          {t('received.leave')}
        </Button>
      )}
    </span>
  );
}
