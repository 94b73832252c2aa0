import { lazy, Suspense } from 'react';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { NetworkFlow, NetworkTimeline } from '../../../app/lazy-parts.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { TrialNotice } from '../../../ui/commit-confirm-notice.tsx';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { bytes, count, duration, mac } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { StatusTag } from '../../../ui/status.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { loadSiteSilenceNotice } from '../../alarms/index.ts';
import { useHasSettings } from '../devices/config-state.ts';
import { DeviceChip } from '../devices/device-chip.tsx';
import { VersionText } from '../devices/newer.tsx';
import { Load, memoryShare } from '../load.tsx';
import { Text } from '../shared-columns.tsx';
import { GatewayWans } from './gateway-wans.tsx';
import { loadMaintenanceNotice } from './load-maintenance.ts';
import { onlyAps } from './network-columns.tsx';

const SiteSilenceNotice = lazy(loadSiteSilenceNotice);
const MaintenanceNotice = lazy(loadMaintenanceNotice);

type Network = Data<'/api/v3/network/detail'>;
const SHOWN = 8;

export function NetworkOverview({ data, onDevice }: { data: Network; onDevice: (serial: string) => void }) {
  const old = data.status !== 'online';
  const memory = memoryShare(data);
  const mayStatistics = useMay('statistics.read');
  return (
    <div className="stack">
      {old && data.as_of && <p className="notice">{t('network.last_known')}</p>}
      <TrialNotice data={data} />
      <div className="notices">
        <Suspense>
          <MaintenanceNotice gwid={data.gwid} />
          <SiteSilenceNotice gwid={data.gwid} />
        </Suspense>
      </div>
      <div className="grid">
        <Card title={data.has_gateway ? t('network.gateway_facts') : t('network.device_facts')} className="span-5">
          <dl className="facts">
            <dt>{t('networks.model')}</dt>
            <dd>{data.model ?? (onlyAps(data) ? t('networks.no_gateway') : '—')}</dd>
            <dt>{t('networks.version')}</dt>
            <dd>
              <VersionText row={data} />
            </dd>
            <dt>{t('networks.sn')}</dt>
            <dd className="mono">{data.sn ? mac(data.sn) : '—'}</dd>
            <dt>{t('networks.wan_ip')}</dt>
            <dd className="mono">{data.wan_ip ?? '—'}</dd>
            <dt>{t('networks.bound')}</dt>
            <dd>
              <ShortTime at={data.bind_time} />
            </dd>
            <dt>{t('networks.gwid')}</dt>
            <dd className="mono small">{data.gwid}</dd>
          </dl>
        </Card>
        <Card title={t('network.load_facts')} className="span-7">
          <div className="figures">
            <Figure
              title={t('networks.users')}
              value={data.online_user === null ? '—' : String(data.online_user)}
              old={old}
            />
            <Figure
              title={t('networks.aps')}
              value={t('networks.of_total', { online: data.ap_online_num, total: data.ap_num })}
            />
            <Figure
              title={t('networks.running')}
              value={old || data.running_time === null ? '—' : duration(data.running_time)}
            />
          </div>
          <dl className="facts">
            <dt>{t('networks.cpu')}</dt>
            <dd>
              <Load value={data.cpu} old={old} />
            </dd>
            <dt>{t('networks.memory')}</dt>
            <dd className="row">
              <Load value={memory} old={old} />
              {data.mem_total !== null && data.mem_used !== null && (
                <span className="small dim">
                  {bytes(data.mem_used)} / {bytes(data.mem_total)}
                </span>
              )}
            </dd>
            <dt>{t('networks.connections')}</dt>
            <dd className="row">
              <Connections data={data} old={old} />
            </dd>
            {data.disk && (
              <>
                <dt>{t('wan.disk')}</dt>
                <dd className="row">
                  <Load value={(1 - data.disk.free / data.disk.total) * 100} old={old} />
                  <span className="small dim">
                    {t('wan.disk_free', { free: bytes(data.disk.free), total: bytes(data.disk.total) })}
                  </span>
                </dd>
              </>
            )}
          </dl>
        </Card>
      </div>
      <Suspense fallback={<Skeleton height={240} />}>
        <NetworkTimeline gwid={data.gwid} />
      </Suspense>
      <GatewayWans data={data} />
      {mayStatistics && (
        <Suspense fallback={<Skeleton height={240} />}>
          <NetworkFlow gwid={data.gwid} reported={data.gateway_reason === null} />
        </Suspense>
      )}
      <AccessPoints gwid={data.gwid} onDevice={onDevice} />
    </div>
  );
}

function Connections({ data, old }: { data: Network; old: boolean }) {
  const { connections, connections_max: max, gateway_reason: reason } = data;
  if (connections === null) {
    return <span className="dim">{t(reason ? `wan.untold_${reason}` : 'wan.untold_kernel')}</span>;
  }
  if (!max) return <span className={old ? 'stale' : undefined}>{count(connections)}</span>;
  return (
    <>
      <Load value={(connections / max) * 100} old={old} />
      <span className="small dim">
        {count(connections)} / {count(max)}
      </span>
    </>
  );
}

function Figure({ title, value, old }: { title: string; value: string; old?: boolean }) {
  return (
    <div>
      <p className="small dim">{title}</p>
      <p className={old ? 'figure stale' : 'figure'}>{value}</p>
    </div>
  );
}

function AccessPoints({ gwid, onDevice }: { gwid: string; onDevice: (serial: string) => void }) {
  const { data, error, refetch } = useRead('/api/v3/ap/list', { gwid, kind: 'ap', page: 1, limit: SHOWN });
  const hasSettings = useHasSettings(gwid);
  return (
    <Card
      title={t('home.network_aps')}
      actions={
        data &&
        data.total > 0 && (
          <Link to={`/network/aps/${gwid}`} className="small">
            {t('network.show_aps')} ({data.total})
          </Link>
        )
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined}>
          {data?.total === 0 ? (
            <Empty icon="wifi" title={t('aps.none')} small>
              {t('network.empty_body')}
            </Empty>
          ) : (
            <table className="plain-table">
              <tbody>
                {data?.list.map((row) => (
                  <tr key={row.serial}>
                    <td>
                      <StatusTag status={row.status} />
                    </td>
                    <td>
                      <button type="button" className="btn btn-link" onClick={() => onDevice(row.serial)}>
                        {row.remark || mac(row.serial)}
                      </button>
                    </td>
                    <td>
                      <Text value={row.model} />
                    </td>
                    <td title={t('networks.wan_ip')}>
                      <Text value={row.ip} mono />
                    </td>
                    <td>
                      {row.online_user === null ? (
                        <span className="dim">—</span>
                      ) : (
                        <span className={row.status === 'online' ? undefined : 'stale'}>
                          {t('device.users_n', { n: row.online_user })}
                        </span>
                      )}
                    </td>
                    <td>
                      <DeviceChip device={row} hasSettings={hasSettings} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Loading>
      )}
    </Card>
  );
}
