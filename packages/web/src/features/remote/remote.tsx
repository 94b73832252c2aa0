import { Suspense, useEffect, useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { RemoteDialog } from '../../app/lazy-parts.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { bytes, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { operatorName } from '../../ui/operator.ts';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { Links } from './links.tsx';
import { askToDelete, RemoteSettings } from './recording-settings.tsx';
import { askToEnd, endText, hasRecording, refreshSessions, type Session, sessionPath } from './remote-session.ts';

const refreshEvery = 10_000;

const tabs = ['sessions', 'links'] as const;

export function RemoteScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'sessions';
  return (
    <Page title={t('home.remote')} actions={tab === 'sessions' && <OpenSession />}>
      <RemoteSettings />
      <Tabs
        label={t('home.remote')}
        tabs={tabs.map((value) => ({ value, label: t(`remote.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'sessions' ? undefined : value,
            page: undefined,
            limit: undefined,
            keyword: undefined,
          })
        }
      >
        {tab === 'sessions' ? <Sessions /> : <Links />}
      </Tabs>
    </Page>
  );
}

function OpenSession() {
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead('/api/v3/remote/settings', {});
  const why = data?.enabled === false ? t('remote.reason_off') : undefined;
  return (
    <>
      <Button kind="primary" icon="plus" why={why} onClick={() => setOpen(true)}>
        {t('remote.open_any')}
      </Button>
      {isOpen && (
        <Suspense>
          <RemoteDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Sessions() {
  const columns = useMemo(columnsOf, []);
  const filters = useMemo<Filter[]>(
    () => [
      {
        name: 'open',
        label: t('remote.state'),
        strict: true,
        options: [
          { value: 'yes', label: t('remote.state_open') },
          { value: 'no', label: t('remote.state_ended') },
        ],
        input: (value) => ({ open: value === 'yes' }),
      },
    ],
    [],
  );
  useEffect(() => {
    const timer = setInterval(() => void refreshSessions(), refreshEvery);
    return () => clearInterval(timer);
  }, []);
  return (
    <DataTable
      path="/api/v3/remote/list"
      name="remote"
      title={t('home.remote')}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      searchHint={t('remote.search')}
      actions={(row: Session) => <Actions row={row} />}
      never={
        <Empty icon="monitor" title={t('remote.never')}>
          {t('remote.never_body')}
        </Empty>
      }
    />
  );
}

function Actions({ row }: { row: Session }) {
  if (row.state === 'ended') return <Recording row={row} />;
  return (
    <span className="row nowrap acts-foot">
      {row.mine && row.kind !== 'vnc' && <Link to={sessionPath(row)}>{t('remote.return')}</Link>}
      <IconButton icon="close" label={t('remote.end_one', { name: row.target })} onClick={() => askToEnd(row)} />
    </span>
  );
}

function Recording({ row }: { row: Session }) {
  const [mayReplay, mayDelete] = [useMay('remote.replay'), useMay('account.write')];
  if (!hasRecording(row)) return null;
  const name = row.target;
  return (
    <span className="row nowrap acts-foot">
      {mayReplay && <Link to={`/remote/replay/${row.id}`}>{t('remote.replay')}</Link>}
      {mayDelete && (
        <IconButton icon="trash" label={t('remote.recording_delete', { name })} onClick={() => askToDelete(row)} />
      )}
    </span>
  );
}

const looks = { waiting: ['info', 'turn'], open: ['ok', 'dot'], ended: ['none', 'check'] } as const;

function State({ row }: { row: Session }) {
  const [tone, shape] = looks[row.state];
  return (
    <div>
      <Tag tone={tone} shape={shape}>
        {t(`remote.state_${row.state}`)}
      </Tag>
      {row.end_reason && <div className="small dim">{endText(row.end_reason)}</div>}
      {row.recording !== 'off' && row.connected_at !== null && (
        <div className="small dim">{t(`remote.recording_${row.recording}`)}</div>
      )}
    </div>
  );
}

const personOf = ({ user, guest }: Session) =>
  guest === null ? operatorName(user) : t('remote.guest_of', { guest, name: operatorName(user) });

const moment = (at: string | null) => at && exactTime(new Date(at));

function columnsOf(): Column<Session>[] {
  return [
    {
      key: 'state',
      title: t('remote.state'),
      cell: (row) => <State row={row} />,
      text: (row) => (row.end_reason ? endText(row.end_reason) : t(`remote.state_${row.state}`)),
    },
    {
      key: 'target',
      title: t('remote.target'),
      lead: true,
      cell: (row) => (
        <div>
          <strong>{row.target}</strong>
          <div className="small dim">{row.network}</div>
        </div>
      ),
      text: (row) => row.target,
      inFiles: true,
    },
    {
      key: 'kind',
      title: t('remote.kind'),
      cell: (row) => t(`remote.kind_${row.kind}`),
      text: (row) => t(`remote.kind_${row.kind}`),
    },
    { key: 'purpose', title: t('remote.purpose'), cell: (row) => row.purpose, text: (row) => row.purpose },
    {
      key: 'user',
      title: t('remote.user'),
      cell: personOf,
      text: personOf,
    },
    {
      key: 'created',
      title: t('remote.from'),
      sort: 'created_at',
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => moment(row.created_at),
    },
    {
      key: 'ended',
      title: t('remote.until'),
      cell: (row) => <ShortTime at={row.ended_at} />,
      text: (row) => moment(row.ended_at),
    },
    {
      key: 'up',
      title: t('remote.bytes_up'),
      wide: true,
      sort: 'bytes_up',
      right: true,
      cell: (row) => bytes(row.bytes_up),
      text: (row) => row.bytes_up,
    },
    {
      key: 'down',
      title: t('remote.bytes_down'),
      wide: true,
      sort: 'bytes_down',
      right: true,
      cell: (row) => bytes(row.bytes_down),
      text: (row) => row.bytes_down,
    },
  ];
}
