import { lazy, Suspense, useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { mac } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Adopt } from './adopt.tsx';
import { unbindDevice } from './device-acts.ts';
import { statusFilter } from './filters.ts';
import { loadWaitingGuide } from './load-waiting-guide.ts';
import { sharedColumns, Text } from './shared-columns.tsx';

const WaitingGuide = lazy(loadWaitingGuide);
const ImportDialog = lazy(async () => ({ default: (await import('../imports/import-dialog.tsx')).ImportDialog }));

export type WaitingRow = Row<'/api/v3/device/waiting/list'>;

/** Devices that are bound and in no network yet, and below them the guide that brings the next one. */
export function WaitingScreen() {
  const mayBind = useMay('network.bind');
  const columns = useMemo(waitingColumns, []);
  const filters = useMemo(() => [statusFilter()], []);
  const [placing, setPlacing] = useState<WaitingRow | null>(null);
  const [importing, setImporting] = useState(false);
  return (
    <Page
      title={t('waiting.title')}
      acts={
        mayBind && (
          <Button icon="file" onClick={() => setImporting(true)}>
            {t('imports.open')}
          </Button>
        )
      }
    >
      <DataTable
        path="/api/v3/device/waiting/list"
        name="waiting-devices"
        title={t('waiting.title')}
        columns={columns}
        rowKey={(row) => row.serial}
        filters={filters}
        searchHint={t('waiting.search')}
        {...(mayBind
          ? {
              acts: (row: WaitingRow) => (
                <div className="row">
                  <Button kind="link" onClick={() => setPlacing(row)}>
                    {t('waiting.adopt')}
                  </Button>
                  <Button
                    kind="link"
                    className="btn-bad"
                    onClick={() => unbindDevice({ serial: row.serial, remark: mac(row.serial) })}
                  >
                    {t('networks.unbind')}
                  </Button>
                </div>
              ),
            }
          : {})}
        never={
          <Empty icon="inbox" title={t('waiting.list_empty')} small>
            {t('waiting.list_empty_body')}
          </Empty>
        }
      />
      <Suspense>
        <WaitingGuide />
      </Suspense>
      {importing && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {placing && <Adopt device={placing} onClose={() => setPlacing(null)} />}
    </Page>
  );
}

function waitingColumns(): Column<WaitingRow>[] {
  const shared = sharedColumns();
  return [
    shared.status,
    {
      key: 'serial',
      title: t('networks.sn'),
      cell: (row) => <Text value={mac(row.serial)} mono />,
      text: (row) => row.serial,
    },
    {
      key: 'kind',
      title: t('waiting.kind'),
      cell: (row) => t(`kind.${row.kind}`),
      text: (row) => t(`kind.${row.kind}`),
    },
    shared.model,
    shared.version,
    shared.ip,
    { ...shared.bound, title: t('waiting.bound') },
    shared.lastSeen,
  ];
}
