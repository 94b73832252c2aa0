import { lazy, Suspense, useMemo, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { ImportDialog } from '../../../app/lazy-parts.ts';
import { useMay } from '../../../app/shell/current.ts';
import { Button } from '../../../ui/button.tsx';
import { confirmDevices } from '../../../ui/confirm-devices.ts';
import { DeviceDrawing } from '../../../ui/device/device-drawing.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { mac } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import type { BatchAct, Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { unbindDevice } from '../devices/device-actions.ts';
import { statusFilter } from '../filters.ts';
import { sharedColumns, Text } from '../shared-columns.tsx';
import { Adopt } from './adopt.tsx';
import {
  loadBindingCodes,
  loadEnrolmentRequests,
  loadSerialTransfers,
  loadWaitingGuide,
} from './load-waiting-guide.ts';
import type { WaitingRow } from './waiting-row.ts';

const WaitingGuide = lazy(loadWaitingGuide);
const EnrolmentRequests = lazy(loadEnrolmentRequests);
const SerialTransfers = lazy(loadSerialTransfers);
const BindingCodes = lazy(loadBindingCodes);

interface Placing {
  devices: [WaitingRow, ...WaitingRow[]];
  done?: () => void;
}

export function WaitingScreen() {
  const mayBind = useMay('network.bind');
  const columns = useMemo(waitingColumns, []);
  const filters = useMemo(() => [statusFilter()], []);
  const [placing, setPlacing] = useState<Placing | null>(null);
  const batch = useMemo<BatchAct<WaitingRow>[]>(
    () => [
      {
        label: t('waiting.adopt'),
        act: (selection, done) =>
          void selection
            .rows()
            .then((rows) => {
              const [first, ...rest] = rows.filter(({ gwid }) => gwid === null);
              if (first) setPlacing({ devices: [first, ...rest], done });
            })
            .catch(notifyError),
      },
      {
        label: t('waiting.confirm_many'),
        act: (selection, done) =>
          void selection
            .rows()
            .then(async (rows) => {
              const placed = rows.filter(({ gwid }) => gwid !== null).map(({ serial }) => serial);
              if (placed.length > 0) await confirmDevices(placed);
              done();
            })
            .catch(notifyError),
      },
    ],
    [],
  );
  const [importing, setImporting] = useState(false);
  return (
    <Page
      title={t('waiting.title')}
      actions={
        mayBind && (
          <Button icon="file" onClick={() => setImporting(true)}>
            {t('imports.open')}
          </Button>
        )
      }
    >
      {mayBind && (
        <Suspense>
          <SerialTransfers />
          <EnrolmentRequests />
        </Suspense>
      )}
      <DataTable
        path="/api/v3/device/waiting/list"
        name="waiting-devices"
        title={t('waiting.title')}
        columns={columns}
        rowKey={(row) => row.serial}
        filters={filters}
        searchHint={t('waiting.search')}
        batch={mayBind ? batch : []}
        {...(mayBind
          ? {
              actions: (row: WaitingRow) => (
                <div className="row">
                  {row.gwid === null ? (
                    <Button kind="link" onClick={() => setPlacing({ devices: [row] })}>
                      {t('waiting.adopt')}
                    </Button>
                  ) : (
                    <Button kind="link" onClick={() => void confirmDevices([row.serial])}>
                      {t('waiting.confirm')}
                    </Button>
                  )}
                  <Button
                    kind="link"
                    className="btn-bad"
                    onClick={() => void unbindDevice({ serial: row.serial, remark: mac(row.serial) })}
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
        {mayBind && <BindingCodes />}
      </Suspense>
      {importing && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {placing && <Adopt {...placing} onClose={() => setPlacing(null)} />}
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
      cell: (row) => (
        <span className="with-drawing">
          <DeviceDrawing kind={row.kind} size={24} status={row.status} />
          {t(`kind.${row.kind}`)}
        </span>
      ),
      text: (row) => t(`kind.${row.kind}`),
    },
    {
      key: 'network',
      title: t('waiting.adopt_to'),
      cell: (row) =>
        row.gwid && row.network ? (
          <span>
            <Link to={`/network/${row.gwid}`}>{row.network}</Link>{' '}
            <span className="dim">{t('waiting.unconfirmed')}</span>
          </span>
        ) : (
          <Text value={null} />
        ),
      text: (row) => (row.network ? t('waiting.unconfirmed_in', { network: row.network }) : ''),
    },
    shared.model,
    shared.version,
    shared.ip,
    { ...shared.bound, title: t('waiting.bound') },
    shared.lastSeen,
  ];
}
