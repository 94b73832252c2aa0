import { useMemo, useState } from 'react';
import type { Data, Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { keysSaying, t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import type { Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { OwnDays, timeFilter } from '../../ui/table/time-range.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { ActionDetail } from './action-detail.tsx';
import { operationColumns } from './columns.tsx';
import { logFiles } from './files.ts';
import { type OperationRow, UndoButton } from './undo-button.tsx';
import './logs.css';

const objects = [
  'network',
  'device',
  'selection',
  'group',
  'template',
  'plan',
  'backup',
  'firmware',
  'password',
  'station',
  'asset',
  'view',
  'job',
  'account',
  'person',
  'member',
  'invitation',
  'grant',
  'session',
  'token',
  'passkey',
  'installation',
] satisfies OperationRow['object']['type'][];
const sources = ['web', 'api', 'device', 'system'] as const;

export function ActionLogScreen() {
  const [search, change] = useSearch();
  const mayRead = useMay('network.read');
  const { data: networks } = useRead('/api/v3/network/list', { page: 1, limit: 200 }, { enabled: mayRead });
  const columns = useMemo(operationColumns, []);
  const filters = useMemo(() => filtersOf(search, networks), [search, networks]);
  const files = useMemo(() => logFiles('/api/v3/log/action/export'), []);
  const fixed = useMemo(() => wordsOf(search.keyword), [search.keyword]);
  const [open, setOpen] = useState<OperationRow | null>(null);
  const entry = /^\d{1,15}$/.test(search.entry ?? '') ? Number(search.entry) : null;
  const linked = useRead(
    '/api/v3/log/action/list',
    { page: 1, limit: 10, seq: entry ?? 1 },
    { enabled: entry !== null },
  );
  const shown = open ?? (entry === null ? null : (linked.data?.list[0] ?? null));
  const close = () => {
    setOpen(null);
    change({ entry: undefined });
  };
  return (
    <Page title={t('messages.log_action')} actions={<Verify />}>
      <DataTable
        path="/api/v3/log/action/list"
        fixed={fixed}
        name="operation-log"
        title={t('messages.log_action')}
        columns={columns}
        rowKey={(row) => String(row.seq)}
        filters={filters}
        extra={<OwnDays />}
        files={files}
        searchHint={t('log.search')}
        onOpen={setOpen}
        actions={(row) => <UndoButton row={row} />}
        never={
          <Empty icon="list" title={t('log.never')}>
            {t('log.never_body')}
          </Empty>
        }
      />
      {shown && <ActionDetail row={shown} onClose={close} />}
    </Page>
  );
}

/** Only the browser knows their translations. */
function wordsOf(keyword: string | undefined): Partial<Input<'/api/v3/log/action/list'>> {
  const actions = keyword ? keysSaying('log_action.', keyword).slice(0, 200) : [];
  return actions.length > 0 ? { keyword_actions: actions } : {};
}

function filtersOf(
  search: ReturnType<typeof useSearch>[0],
  networks: Data<'/api/v3/network/list'> = { list: [], total: 0 },
): Filter[] {
  const worded = <V extends string>(name: string, label: string, values: readonly V[], word: (value: V) => string) => ({
    name,
    label,
    options: values.map((value) => ({ value, label: word(value) })),
  });
  const byNetwork: Filter = {
    name: 'gwid',
    label:
      networks.total > networks.list.length ? t('log.network_some', { n: networks.list.length }) : t('log.network'),
    options: networks.list.map(({ gwid, remark }) => ({ value: gwid, label: remark })),
  };
  return [
    timeFilter(search),
    worded('object_type', t('log.type'), objects, (value) => t(`object.${value}`)),
    ...(networks.total > 0 ? [byNetwork] : []),
    worded('source', t('log.source'), sources, (value) => t(`log.source_${value}`)),
    worded('result', t('log.result'), ['success', 'failed'] as const, (value) => t(`log.${value}`)),
  ];
}

function Verify() {
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      const { rows, intact, broken_at } = await call('/api/v3/log/action/verify', {});
      if (intact) notify('ok', rows === null ? t('log.intact_plain') : t('log.intact', { n: rows }));
      else notify('bad', broken_at === null ? t('log.broken_plain') : t('log.broken', { n: broken_at }));
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  return (
    <Button icon="shield" busy={busy} onClick={verify}>
      {t('log.verify')}
    </Button>
  );
}
