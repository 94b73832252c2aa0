import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DeviceFront } from '../../ui/device/device-front.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { stale } from './edit.tsx';
import { type AssetRow, drawnOf, nameOf, placeOf, sourceOf } from './labels.ts';

const none = <span className="dim">—</span>;

interface Actions {
  onEdit: (row: AssetRow) => void;
  onLabels: (rows: readonly AssetRow[]) => void;
}

export function AssetDrawer({
  gwid,
  id,
  onClose,
  ...actions
}: { gwid: string; id: string; onClose: () => void } & Actions) {
  const { data, error, refetch } = useRead('/api/v3/asset/list', {
    gwid,
    keyword: id,
    days: '400',
    random: 'include',
    page: 1,
    limit: 10,
  });
  const row = data?.list.find((one) => one.id === id);
  return (
    <Dialog drawer title={row ? nameOf(row) : mac(id)} onClose={onClose}>
      {row ? (
        <Facts row={row} {...actions} />
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : data ? (
        <Empty icon="search" title={t('assets.gone')} small>
          {t('assets.gone_body')}
        </Empty>
      ) : (
        <Skeleton height={240} />
      )}
    </Dialog>
  );
}

function Facts({ row, onEdit, onLabels }: { row: AssetRow } & Actions) {
  const mayWrite = useMay('network.write');
  const mayUsers = useMay('user.read');
  const known = useWrite('/api/v3/asset/update', stale);
  const terminal = row.class_by !== 'managed' && row.online !== null;
  return (
    <div className="stack">
      <DeviceFront
        kind={drawnOf(row.class)}
        name={t(`assets.class_${row.class}`)}
        status={row.online ? 'online' : null}
      />
      <div className="spread">
        <span className="row">
          {row.online !== null && (
            <Tag tone={row.online ? 'ok' : 'none'} shape={row.online ? 'dot' : 'ring'}>
              {t(row.online ? 'assets.here' : 'assets.away')}
            </Tag>
          )}
          {row.is_new && <Tag tone="info">{t('assets.new')}</Tag>}
        </span>
        <span className="row">
          {row.is_new && mayWrite && (
            <Button
              icon="check"
              busy={known.isPending}
              onClick={() => known.mutate({ gwid: row.gwid, ids: [row.id], known: true })}
            >
              {t('assets.know')}
            </Button>
          )}
          <Button icon="printer" onClick={() => onLabels([row])}>
            {t('assets.label')}
          </Button>
          {mayWrite && (
            <Button icon="edit" onClick={() => onEdit(row)}>
              {t('action.edit')}
            </Button>
          )}
        </span>
      </div>
      <dl className="facts">
        <Fact name={t('assets.class')}>
          {t(`assets.class_${row.class}`)} <span className="small dim">{sourceOf(row)}</span>
        </Fact>
        <Fact name={t('assets.vendor')}>{row.vendor ?? none}</Fact>
        <Fact name={t('assets.mac')}>
          <span className="mono">{mac(row.id)}</span>
        </Fact>
        <Fact name={t('assets.ip')}>{row.ip ? <span className="mono">{row.ip}</span> : none}</Fact>
        <Fact name={t('assets.place')}>{placeOf(row) || none}</Fact>
        <Fact name={t('assets.first_seen')}>
          <ShortTime at={row.first_seen} />
        </Fact>
        <Fact name={t('assets.last_seen')}>
          <RelativeTime at={row.last_seen} />
        </Fact>
        <Fact name={t('assets.tags')}>{row.tags.join(', ') || none}</Fact>
        <Fact name={t('assets.note')}>{row.note || none}</Fact>
      </dl>
      {row.managed && (
        <Link to={`/network/${row.gwid}`} search={{ tab: 'devices', device: row.id }} className="btn">
          {t('assets.to_device')}
        </Link>
      )}
      {terminal && mayUsers && (
        <Link to={`/networks/online_users/${row.gwid}`} search={{ tab: 'history', user: row.id }} className="btn">
          {t('assets.to_user')}
        </Link>
      )}
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
