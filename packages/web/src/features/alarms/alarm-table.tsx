import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { LevelTag, levels } from '../../ui/alarm-level.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count, duration, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tag } from '../../ui/status.tsx';
import type { BatchAct, Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { OwnDays, timeFilter } from '../../ui/table/time-range.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { type Act, ActDialog, unsilence } from './act-dialogs.tsx';
import { AlarmDrawer } from './alarm-drawer.tsx';
import { type AlarmRow, kindOptions, kindText, nameText, stateText, stateTone } from './labels.ts';
import { NetworkFilter } from './network-filter.tsx';

const states = ['firing', 'acknowledged', 'silenced', 'recovered', 'all'] as const;
const maxNetworks = 200;

interface Open {
  act: Act;
  ids: readonly string[];
  done?: () => void;
}

/** Alarms grouped by their cause, worst first. */
export function AlarmTable() {
  const [search, change] = useSearch();
  const mayAct = useMay('message.write');
  const mayNetworks = useMay('network.read');
  const networks = useRead('/api/v3/network/list', { page: 1, limit: maxNetworks }, { enabled: mayNetworks });
  const people = useRead('/api/v3/alarm/people', {});
  const [acting, setActing] = useState<Open | null>(null);
  const columns = useMemo(alarmColumns, []);
  const isMany = (networks.data?.total ?? 0) > maxNetworks;
  const filters = useMemo(
    () => alarmFilters(networks.data?.list ?? [], people.data?.list ?? [], isMany, search),
    [networks.data, people.data, isMany, search],
  );
  const open = (row: AlarmRow) => change({ alarm: row.id }, true);
  const batch = useMemo(
    () =>
      (['acknowledge', 'silence', 'resolve'] as const).map(
        (act): BatchAct<AlarmRow> => ({
          label: t(`alarm.${act}`),
          act: (selection, done) =>
            void selection
              .rows()
              .then((rows) => setActing({ act, ids: rows.map(({ id }) => id), done }))
              .catch(notifyError),
        }),
      ),
    [],
  );
  return (
    <>
      <DataTable
        path="/api/v3/alarm/list"
        name="alarms"
        title={t('messages.alarm')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        extra={
          <>
            {isMany && <NetworkFilter />}
            <OwnDays />
          </>
        }
        searchHint={t('alarm.search')}
        onOpen={open}
        {...(mayAct ? { batch } : {})}
        actions={(row) => (
          <RowActions
            row={row}
            mayAct={mayAct}
            open={() => open(row)}
            start={(act) => setActing({ act, ids: [row.id] })}
          />
        )}
        never={
          <Empty
            icon="bell"
            title={t('alarm.never')}
            actions={
              <Link to="/alarm" search={{ state: 'recovered' }} className="btn">
                {t('alarm.show_recovered')}
              </Link>
            }
          >
            {t('alarm.never_body')}
          </Empty>
        }
      />
      {search.alarm && (
        <AlarmDrawer
          id={search.alarm}
          mayAct={mayAct}
          start={(act) => setActing({ act, ids: [search.alarm!] })}
          onClose={() => change({ alarm: undefined })}
        />
      )}
      {acting && (
        <ActDialog act={acting.act} ids={acting.ids} onClose={() => setActing(null)} onDone={() => acting.done?.()} />
      )}
    </>
  );
}

function RowActions(props: { row: AlarmRow; mayAct: boolean; open: () => void; start: (act: Act) => void }) {
  const { row, mayAct, open, start } = props;
  if (!mayAct || row.state === 'recovered') return <IconButton icon="eye" label={t('alarm.open')} onClick={open} />;
  const label = t('alarm.acts', { name: nameText(row) });
  return (
    <span className="row nowrap acts-foot">
      {row.state === 'firing' && (
        <IconButton icon="check" label={t('alarm.acknowledge')} onClick={() => start('acknowledge')} />
      )}
      <Menu
        label={label}
        target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
        items={[
          { label: t('alarm.open'), icon: 'eye', act: open },
          { label: t('alarm.acknowledge'), icon: 'check', act: () => start('acknowledge') },
          row.state === 'silenced'
            ? { label: t('alarm.unsilence'), icon: 'bell', act: () => void unsilence([row.id]).catch(notifyError) }
            : { label: t('alarm.silence'), icon: 'clock', act: () => start('silence') },
          { label: t('alarm.resolve'), icon: 'archive', act: () => start('resolve') },
        ]}
      />
    </span>
  );
}

function alarmFilters(
  networks: readonly { gwid: string; remark: string }[],
  people: readonly { id: string; name: string }[],
  isMany: boolean,
  search: Parameters<typeof timeFilter>[0],
): Filter[] {
  return [
    {
      name: 'level',
      label: t('alarm.level'),
      options: levels.map((value) => ({ value, label: t(`alarm_level.${value}`) })),
    },
    {
      name: 'state',
      label: t('alarm.state'),
      unset: t('alarm.unset'),
      options: states.map((value) => ({ value, label: t(`alarm.state_${value}`) })),
    },
    {
      name: 'kind',
      label: t('alarm.kind'),
      options: kindOptions(),
    },
    ...(networks.length > 1
      ? [
          {
            name: 'gwid',
            label: t('alarm.network'),
            // then the filter with the search is shown beside
            hidden: isMany,
            options: isMany
              ? [{ value: search.gwid ?? '', label: '' }]
              : networks.map(({ gwid, remark }) => ({ value: gwid, label: remark })),
          },
        ]
      : []),
    ...(people.length > 0
      ? [
          {
            name: 'assignee',
            label: t('alarm.assignee'),
            options: people.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
    timeFilter(search),
  ];
}

function alarmColumns(): Column<AlarmRow>[] {
  return [
    {
      key: 'level',
      title: t('alarm.level'),
      sort: 'level',
      width: 110,
      cell: ({ level }) => <LevelTag level={level} />,
      text: ({ level }) => t(`alarm_level.${level}`),
    },
    {
      key: 'what',
      title: t('alarm.what'),
      lead: true,
      cell: (row) => (
        <span className="two-lines">
          <strong>{kindText(row)}</strong>
          {row.count > 1 && <span className="dim"> · {t('alarm.times', { n: row.count })}</span>}
          <br />
          <span className="small dim">{row.note || (row.assignee?.name ?? '')}</span>
        </span>
      ),
      text: kindText,
    },
    {
      key: 'where',
      title: t('alarm.where'),
      early: true,
      cell: (row) => (
        <span className="two-lines">
          <span>{nameText(row)}</span>
          <br />
          <span className="small dim">{row.serial === null ? '' : row.network}</span>
        </span>
      ),
      text: (row) => (row.serial === null ? nameText(row) : `${row.network} / ${nameText(row)}`),
    },
    {
      key: 'state',
      title: t('alarm.state'),
      width: 150,
      cell: (row) => <Tag tone={stateTone(row)}>{stateText(row)}</Tag>,
      text: stateText,
    },
    {
      key: 'began_at',
      title: t('alarm.since'),
      early: true,
      sort: 'began_at',
      cell: ({ began_at }) => <ShortTime at={began_at} />,
      text: ({ began_at }) => exactTime(new Date(began_at)),
    },
    {
      key: 'duration',
      title: t('alarm.duration'),
      sort: 'seconds',
      right: true,
      cell: ({ seconds }) => duration(seconds),
      text: ({ seconds }) => seconds,
      unit: 's',
    },
    {
      key: 'devices',
      title: t('alarm.devices'),
      sort: 'devices_hit',
      right: true,
      cell: ({ devices_hit }) => (devices_hit === 0 ? <span className="dim">—</span> : count(devices_hit)),
      text: ({ devices_hit }) => devices_hit,
    },
    {
      key: 'clients',
      title: t('alarm.clients'),
      sort: 'clients_hit',
      right: true,
      cell: ({ clients_hit }) => (clients_hit === null ? <span className="dim">—</span> : count(clients_hit)),
      text: ({ clients_hit }) => clients_hit,
    },
    {
      key: 'assignee',
      title: t('alarm.assignee'),
      extra: true,
      cell: ({ assignee }) => assignee?.name ?? <span className="dim">—</span>,
      text: ({ assignee }) => assignee?.name ?? null,
    },
  ];
}
