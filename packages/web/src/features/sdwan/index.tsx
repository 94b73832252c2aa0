import { useMemo } from 'react';
import type { Data, Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { listed } from '../../ui/refusal.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { bandText, dayText, SdwanTag } from './labels.tsx';
import { refreshSdwan } from './refresh.ts';
import './sdwan.css';

type Network = Row<'/api/v3/sdwan/network/list'>;
type Status = Data<'/api/v3/sdwan/status'>;

const statuses = ['draft', 'deploying', 'running', 'degraded', 'failed', 'expired'] as const;

export function SdwanIndexScreen() {
  const may = useMay('network.write');
  const { data: status, error, refetch } = useRead('/api/v3/sdwan/status', {});
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Link to="/sdwan/create" className="btn btn-primary">
      {t('home.sdwan_create')}
    </Link>
  );
  return (
    <Page
      title={t('home.sdwan')}
      actions={
        <>
          {(['group', 'link_strategy', 'package', 'order'] as const).map((name) => (
            <Link key={name} to={`/sdwan/${name}`} className="btn">
              {t(`home.sdwan_${name}`)}
            </Link>
          ))}
          {create}
        </>
      }
    >
      {error && !status ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : status ? (
        <Opened status={status} />
      ) : (
        <Skeleton height={96} />
      )}
      <DataTable
        path="/api/v3/sdwan/network/list"
        name="sdwan-networks"
        title={t('home.sdwan')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('sdwan.search')}
        filters={[
          {
            name: 'status',
            label: t('sdwan.col_status'),
            options: statuses.map((value) => ({ value, label: t(`sdwan.status_${value}`) })),
          },
        ]}
        never={
          <Empty icon="link" title={t('sdwan.never')} actions={create}>
            {t('sdwan.never_body')}
          </Empty>
        }
      />
    </Page>
  );
}

async function startTrial(): Promise<void> {
  try {
    await call('/api/v3/sdwan/order/create', { kind: 'trial' });
    notify('ok', t('sdwan.trial_started'));
    await refreshSdwan();
  } catch (problem) {
    notifyError(problem);
  }
}

function Opened({ status }: { status: Status }) {
  const maySpend = useMay('account.write');
  if (!status.opened)
    return (
      <Card>
        <Empty
          icon="link"
          title={t('sdwan.not_opened')}
          actions={
            <>
              {maySpend && !status.trial_used && (
                <Button kind="primary" onClick={() => void startTrial()}>
                  {t('sdwan.trial_start')}
                </Button>
              )}
              <Link to="/sdwan/package" className="btn">
                {t('home.sdwan_package')}
              </Link>
            </>
          }
        >
          {t('sdwan.not_opened_body')}
        </Empty>
      </Card>
    );
  const figures = [
    [t('sdwan.kpi_networks'), String(status.networks)],
    [t('sdwan.kpi_nodes'), t('sdwan.of', { n: status.node_used, all: status.node_limit })],
    [t('sdwan.widthband'), t('sdwan.band_of', { n: status.widthband_used, all: status.widthband })],
    [
      t('sdwan.foreign_widthband'),
      t('sdwan.band_of', { n: status.foreign_widthband_used, all: status.foreign_widthband }),
    ],
    [t(status.trial ? 'sdwan.trial_until' : 'sdwan.validity'), dayText(status.expire_at)],
  ] as const;
  return (
    <div className="sdwan-cards sdwan-figures">
      {figures.map(([title, value]) => (
        <Card key={title} title={title}>
          <span className="figure">{value}</span>
        </Card>
      ))}
    </div>
  );
}

function columnsOf(): Column<Network>[] {
  return [
    {
      key: 'name',
      title: t('sdwan.name'),
      sort: 'name',
      cell: (row) => (
        <Link to="/sdwan/show" search={{ id: row.id }}>
          {row.name}
        </Link>
      ),
      text: (row) => row.name,
    },
    {
      key: 'status',
      title: t('sdwan.col_status'),
      cell: (row) => <SdwanTag status={row.status} />,
      text: (row) => t(`sdwan.status_${row.status}`),
    },
    { key: 'type', title: t('sdwan.type'), cell: typeText, text: typeText },
    { key: 'mode', title: t('sdwan.mode'), cell: modeText, text: modeText, extra: true },
    { key: 'centres', title: t('sdwan.centres'), cell: centresText, text: centresText },
    { key: 'online', title: t('sdwan.nodes_online'), sort: 'online', cell: onlineText, text: onlineText },
    { key: 'tunnels', title: t('sdwan.tunnels_up'), sort: 'tunnels_up', cell: tunnelsText, text: tunnelsText },
    {
      key: 'widthband',
      title: t('sdwan.widthband'),
      sort: 'widthband',
      cell: (row) => bandText(row.widthband),
      text: (row) => row.widthband,
    },
    {
      key: 'routes',
      title: t('sdwan.routes'),
      sort: 'route_count',
      cell: (row) => row.route_count,
      text: (row) => row.route_count,
    },
    {
      key: 'validity',
      title: t('sdwan.validity'),
      cell: (row) => dayText(row.valid_until),
      text: (row) => row.valid_until,
    },
    {
      key: 'manage',
      title: t('sdwan.acts'),
      cell: (row) => (
        <Link to="/sdwan/manage" search={{ id: row.id }}>
          {t('sdwan.manage')}
        </Link>
      ),
    },
  ];
}

const typeText = (row: Network) => t(`sdwan.type_${row.type}`);
const modeText = (row: Network) => (row.type === 1 ? '—' : t(`sdwan.mode_${row.mode}`));
const centresText = (row: Network) => (row.centres.length > 0 ? listed(row.centres) : '—');
const onlineText = (row: Network) => t('sdwan.of', { n: row.online, all: row.nodes });
const tunnelsText = (row: Network) => t('sdwan.of', { n: row.tunnels_up, all: row.tunnels });
