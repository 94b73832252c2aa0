import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { aboutOf, JobBar, shownStatus, sums } from '../../ui/job-bar.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { jobName } from '../../ui/job-name.ts';
import { Link } from '../../ui/link.tsx';
import { operatorName } from '../../ui/operator.ts';
import { Page } from '../../ui/page.tsx';
import { JobTag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';

type JobRow = Row<'/api/v3/job/list'>;
const statuses = [
  'queued',
  'running',
  'waiting_offline',
  'partial',
  'succeeded',
  'failed',
  'cancelled',
  'rolled_back',
] as const;

/** One per new device would hide people's own. */
const withoutAutomatic = { automatic: false };

export function JobsScreen() {
  const columns = useMemo(jobColumns, []);
  const filters = useMemo<Filter[]>(
    () => [
      {
        name: 'status',
        label: t('jobs.status'),
        options: statuses.map((value) => ({ value, label: t(`job_status.${value}`) })),
      },
      {
        name: 'automatic',
        label: t('jobs.automatic'),
        unset: t('jobs.automatic_without'),
        options: [{ value: 'all', label: t('jobs.automatic_with') }],
        input: () => ({ automatic: true }),
      },
    ],
    [],
  );
  return (
    <Page title={t('jobs.title')}>
      <DataTable
        path="/api/v3/job/list"
        fixed={withoutAutomatic}
        name="jobs"
        title={t('jobs.title')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        onOpen={(row) => openJobs(row.id)}
        never={
          <Empty
            icon="tasks"
            title={t('jobs.none')}
            actions={
              <Link to="/jobs" search={{ automatic: 'all' }}>
                {t('jobs.automatic_show')}
              </Link>
            }
          >
            {t('jobs.none_body')}
          </Empty>
        }
      />
    </Page>
  );
}

function jobColumns(): Column<JobRow>[] {
  return [
    {
      key: 'status',
      title: t('jobs.status'),
      cell: (row) => <JobTag status={shownStatus(row)} />,
      text: (row) => t(`job_status.${shownStatus(row)}`),
    },
    {
      key: 'type',
      title: t('jobs.type'),
      cell: (row) => <strong>{jobName(row.type, row.cause)}</strong>,
      text: (row) => jobName(row.type, row.cause),
    },
    {
      key: 'about',
      title: t('jobs.about'),
      cell: (row) => aboutOf(row) ?? '–',
      text: aboutOf,
    },
    {
      key: 'progress',
      sort: 'total',
      title: t('jobs.progress'),
      width: 280,
      cell: (row) => (
        <span className="job-progress">
          <JobBar job={row} />
          <span className="small dim">{sums(row)}</span>
        </span>
      ),
      text: sums,
    },
    {
      key: 'operator',
      title: t('jobs.operator'),
      cell: (row) => operatorName(row.operator),
      text: (row) => operatorName(row.operator),
    },
    {
      key: 'created',
      title: t('jobs.created'),
      sort: 'created_at',
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => exactTime(new Date(row.created_at)),
    },
    {
      key: 'finished',
      sort: 'finished_at',
      title: t('jobs.finished'),
      cell: (row) => <ShortTime at={row.finished_at} />,
      text: (row) => row.finished_at && exactTime(new Date(row.finished_at)),
    },
  ];
}
