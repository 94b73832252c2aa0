import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { useFollowJobs } from '../../app/follow-jobs.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { Empty } from '../../ui/empty.tsx';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import type { Template } from './draft.ts';
import { PushDrawer } from './push-drawer.tsx';

export type ChangeRow = Row<'/api/v3/wireless_template/change/list'>;

/** To whom a template went, and where each of these pushes stands. */
export function Pushes({ template }: { template: Template }) {
  const [search, change] = useSearch();
  const columns = useMemo(columnsOf, []);
  useFollowJobs('/api/v3/wireless_template/change/list');
  return (
    <>
      <DataTable
        path="/api/v3/wireless_template/change/list"
        fixed={{ id: template.id }}
        name="template-pushes"
        title={t('template.tab_pushes')}
        columns={columns}
        rowKey={(row) => row.id}
        onOpen={(row) => change({ push: row.id }, true)}
        never={
          <Empty icon="share" title={t('change.never')}>
            {t('change.never_body')}
          </Empty>
        }
      />
      {search.push && <PushDrawer id={search.push} onClose={() => change({ push: undefined })} />}
    </>
  );
}

/** The word for where a push stands. */
export function ChangeTag({ row }: { row: ChangeRow }) {
  const { word, tone } = standing(row);
  return (
    <>
      <Tag tone={tone}>{t(`change.${word}`)}</Tag>
      {word === 'scheduled' && row.start_at && (
        <div className="small dim nowrap">
          <ShortTime at={row.start_at} />
        </div>
      )}
    </>
  );
}

function standing({ open, reversed, sums, start_at }: ChangeRow): { word: Word; tone: Tone } {
  const bad = sums.rejected + sums.failed + sums.reverted;
  if (open && sums.queued === sums.total && start_at) return { word: 'scheduled', tone: 'none' };
  if (open && sums.queued + sums.running === 0) return { word: 'waiting', tone: 'warn' };
  if (open) return { word: 'running', tone: 'brand' };
  if (reversed) return { word: 'reversed', tone: 'warn' };
  if (sums.taken_back > 0) return { word: 'partly_reversed', tone: 'warn' };
  if (sums.cancelled > 0) return { word: 'stopped', tone: 'warn' };
  return bad > 0 ? { word: 'partly', tone: 'bad' } : { word: 'done', tone: 'ok' };
}
type Word = 'scheduled' | 'waiting' | 'running' | 'reversed' | 'partly_reversed' | 'stopped' | 'partly' | 'done';

/** Sums in one line; they add up to the total. */
export function sumsText({ sums }: Pick<ChangeRow, 'sums'>): string {
  const { total, ...states } = sums;
  const said = Object.entries(states) as [keyof typeof states, number][];
  return [
    t('change.total', { n: total }),
    ...said.filter(([, n]) => n > 0).map(([state, n]) => t(`change.sum_${state}`, { n })),
  ].join(' · ');
}

function columnsOf(): Column<ChangeRow>[] {
  return [
    {
      key: 'created',
      title: t('change.created'),
      sort: 'created_at',
      cell: (row) => (
        <span>
          <RelativeTime at={row.created_at} />
          <div className="small dim ellipsis">{row.created_by}</div>
        </span>
      ),
      text: (row) => row.created_at,
    },
    {
      key: 'version',
      title: t('template.version'),
      cell: (row) => (row.takes_off ? t('change.takes_off') : t('template.version_n', { n: row.version })),
      text: (row) => (row.takes_off ? t('change.takes_off') : row.version),
    },
    {
      key: 'state',
      title: t('change.state'),
      cell: (row) => <ChangeTag row={row} />,
      text: (row) => t(`change.${standing(row).word}`),
    },
    { key: 'sums', title: t('change.devices'), cell: sumsText, text: sumsText },
    {
      key: 'start',
      title: t('push.start'),
      extra: true,
      cell: (row) => (row.start_at ? <ShortTime at={row.start_at} /> : <span className="dim">—</span>),
      text: (row) => row.start_at,
    },
  ];
}
