import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { duration, exactTime, mac } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { reasonText } from '../../ui/job-name.ts';
import { operatorName } from '../../ui/operator.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { RestartDialog } from './restart-dialog.tsx';

type LogRow = Row<'/api/v3/log/upgrade/list'>;

const actions = ['upgrade', 'restart'] as const;
const triggers = ['user', 'plan', 'device'] as const;
const results = ['success', 'failed'] as const;

export function UpgradeLog() {
  const mayReboot = useMay('network.reboot');
  const columns = useMemo(logColumns, []);
  const filters = useMemo(logFilters, []);
  const [restarting, setRestarting] = useState(false);
  const restart = mayReboot && (
    <Button icon="power" onClick={() => setRestarting(true)}>
      {t('firmware.restart')}
    </Button>
  );
  return (
    <>
      <DataTable
        path="/api/v3/log/upgrade/list"
        name="upgrade-log"
        title={t('messages.log_upgrade')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        searchHint={t('firmware.search')}
        order={{ sort: 'time', order: 'desc' }}
        onOpen={(row) => {
          if (row.job_id) openJobs(row.job_id);
        }}
        toolbar={restart}
        never={
          <Empty icon="refresh" title={t('firmware.none')} actions={restart || undefined}>
            {t('firmware.none_body')}
          </Empty>
        }
      />
      {restarting && <RestartDialog onClose={() => setRestarting(false)} />}
    </>
  );
}

function logFilters(): Filter[] {
  return [
    {
      name: 'action',
      label: t('firmware.action'),
      options: actions.map((value) => ({ value, label: t(`firmware.action_${value}`) })),
    },
    {
      name: 'trigger',
      label: t('firmware.trigger'),
      options: triggers.map((value) => ({ value, label: t(`firmware.trigger_${value}`) })),
    },
    {
      name: 'result',
      label: t('firmware.result'),
      options: results.map((value) => ({ value, label: t(`firmware.result_${value}`) })),
    },
  ];
}

function logColumns(): Column<LogRow>[] {
  return [
    {
      key: 'time',
      title: t('firmware.time'),
      sort: 'time',
      cell: (row) => <ShortTime at={row.time} />,
      text: (row) => exactTime(new Date(row.time)),
    },
    {
      key: 'object',
      title: t('firmware.device'),
      cell: (row) => (
        <span className="two-lines">
          <strong>{row.name}</strong>
          <br />
          <span className="small dim">{row.network ?? mac(row.serial)}</span>
        </span>
      ),
      text: (row) => row.name,
    },
    {
      key: 'action',
      title: t('firmware.action'),
      cell: (row) => t(`firmware.action_${row.action}`),
      text: (row) => t(`firmware.action_${row.action}`),
    },
    { key: 'versions', title: t('firmware.versions'), cell: Versions, text: versionsText },
    {
      key: 'trigger',
      title: t('firmware.trigger'),
      cell: (row) => t(`firmware.trigger_${row.trigger}`),
      text: (row) => t(`firmware.trigger_${row.trigger}`),
    },
    {
      key: 'operator',
      title: t('firmware.operator'),
      cell: (row) => (row.operator ? operatorName(row.operator) : <span className="dim">—</span>),
      text: (row) => row.operator && operatorName(row.operator),
    },
    {
      key: 'result',
      title: t('firmware.result'),
      cell: (row) => <Tag tone={row.result === 'success' ? 'ok' : 'bad'}>{t(`firmware.result_${row.result}`)}</Tag>,
      text: (row) => t(`firmware.result_${row.result}`),
    },
    {
      key: 'reason',
      title: t('firmware.reason'),
      cell: (row) => <span className="small">{row.reason ? why(row.reason) : '—'}</span>,
      text: (row) => row.reason && why(row.reason),
    },
    {
      key: 'seconds',
      title: t('firmware.seconds'),
      sort: 'seconds',
      right: true,
      cell: (row) => (row.seconds === null ? <span className="dim">—</span> : duration(row.seconds)),
      text: (row) => row.seconds,
    },
  ];
}

function why(reason: string): string {
  return textOf(`restart_reason.${reason}`) ?? reasonText(reason);
}

function Versions({ from_version: from, to_version: to }: LogRow) {
  if (!from && !to) return <span className="dim">—</span>;
  if (from === to || !to) return <span className="small">{from ?? to}</span>;
  return (
    <span className="small firmware-versions">
      <span>{from ?? '—'}</span> <span>→ {to}</span>
    </span>
  );
}

function versionsText({ from_version: from, to_version: to }: LogRow): string {
  return from === to || !to ? (from ?? '') : `${from ?? ''} → ${to}`;
}
