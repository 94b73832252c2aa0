import { lazy, Suspense, useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { t, textOf } from '../../../app/i18n.ts';
import { PowerOffer } from '../../../app/lazy-parts.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { DetailFront } from '../../../ui/device/device-front.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { duration, mac, percent } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { StatusTag } from '../../../ui/status.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { AsOf, RelativeTime, ShortTime } from '../../../ui/time.tsx';
import { DeviceConfig } from '../../configuration/index.ts';
import { loadHistory } from '../../logs/index.ts';
import { loadPorts } from '../../switches/index.ts';
import { Load, memoryShare } from '../load.tsx';
import { loadEvents } from '../outages/load-events.ts';
import { Tags } from '../tag-list.tsx';
import { loadDeviceNeighbours, loadDeviceTools } from '../tools/load.ts';
import { UnconfirmedNotice } from '../waiting/unconfirmed.tsx';
import { bandName } from './band-name.ts';
import { useHasSettings } from './config-state.ts';
import { DeviceChip } from './device-chip.tsx';
import { onOwnRadios } from './device-columns.tsx';
import { DeviceMenu } from './device-menu.tsx';
import { useMayNeedPower } from './device-power.ts';
import { VersionText } from './newer.tsx';
import { UplinkText } from './radio-columns.tsx';

const ObjectHistory = lazy(loadHistory);
const DeviceCharts = lazy(async () => ({ default: (await import('./device-charts.tsx')).DeviceCharts }));
const DeviceClients = lazy(async () => ({ default: (await import('./device-clients.tsx')).DeviceClients }));
const EventsTab = lazy(loadEvents);

const SharedCertificateNotice = lazy(async () => ({
  default: (await import('./shared-certificate.tsx')).SharedCertificateNotice,
}));

const Ports = lazy(loadPorts);
const DeviceTools = lazy(loadDeviceTools);
const DeviceNeighbours = lazy(loadDeviceNeighbours);
const DeviceValues = lazy(async () => ({ default: (await import('./device-values.tsx')).DeviceValues }));

type DeviceTab = 'facts' | 'ports' | 'values' | 'charts' | 'clients' | 'events' | 'neighbours' | 'tools' | 'history';

type Detail = Data<'/api/v3/ap/detail'>;

const againMs = 30_000;

export function DeviceDrawer({ serial, onClose }: { serial: string; onClose: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/ap/detail', { serial }, { refetchMs: againMs });
  const mayConfig = useMay('config.read');
  const mayLog = useMay('log.read');
  const mayUsers = useMay('user.read');
  const mayNeedPower = useMayNeedPower(data);
  const [tab, setTab] = useState<DeviceTab>('facts');
  const hasSettings = useHasSettings(data?.gwid ?? null);
  const facts = data && (
    <>
      <DetailFront data={data} />
      <Facts data={data} />
      <Radios radios={data.radios} />
      {mayConfig && <DeviceConfig serial={serial} routes={data.is_gateway || data.kind === 'gateway'} />}
    </>
  );
  return (
    <Dialog drawer wide={data?.kind === 'switch'} title={data?.remark || mac(serial)} onClose={onClose}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={8}>
          {data && (
            <>
              <div className="spread">
                <span className="row">
                  <StatusTag status={data.status} />
                  <DeviceChip device={data} hasSettings={hasSettings} />
                </span>
                <span className="row">
                  <AsOf at={data.as_of} away={data.status !== 'online'} />
                  <DeviceMenu row={data} leave={onClose} />
                </span>
              </div>
              {data.certificate_conflict && (
                <Suspense fallback={null}>
                  <SharedCertificateNotice serial={serial} shared={data.certificate_conflict} />
                </Suspense>
              )}
              {data.gwid && !data.confirmed && <UnconfirmedNotice serial={serial} ip={data.ip} />}
              {data.status !== 'online' && data.as_of && <p className="notice">{t('network.last_known')}</p>}
              {data.gwid && mayNeedPower && (
                <Suspense fallback={null}>
                  <PowerOffer gwid={data.gwid} mac={serial} name={data.remark || mac(serial)} />
                </Suspense>
              )}
              <Tabs
                label={data.remark || mac(serial)}
                value={tab}
                onChange={setTab}
                tabs={[
                  { value: 'facts', label: t('device.tab_facts') },
                  ...(mayConfig && data.kind === 'switch'
                    ? [{ value: 'ports' as const, label: t('device.tab_ports') }]
                    : []),
                  ...(mayConfig && data.kind === 'ap'
                    ? [{ value: 'values' as const, label: t('device.tab_values') }]
                    : []),
                  { value: 'charts', label: t('device.tab_charts') },
                  ...(mayUsers ? [{ value: 'clients' as const, label: t('device.users') }] : []),
                  { value: 'events', label: t('device.tab_events') },
                  ...(data.kind === 'ap' ? [{ value: 'neighbours' as const, label: t('device.tab_neighbours') }] : []),
                  { value: 'tools', label: t('device.tab_tools') },
                  ...(mayLog ? [{ value: 'history' as const, label: t('device.tab_history') }] : []),
                ]}
              >
                <Suspense fallback={<Skeleton height={200} />}>
                  {tab === 'facts' && <div className="stack">{facts}</div>}
                  {tab === 'ports' && <Ports serial={serial} />}
                  {tab === 'values' && <DeviceValues serial={serial} />}
                  {tab === 'charts' && <DeviceCharts serial={serial} />}
                  {tab === 'clients' && <DeviceClients serial={serial} gwid={data.gwid} />}
                  {tab === 'events' && <EventsTab serial={serial} />}
                  {tab === 'neighbours' && <DeviceNeighbours serial={serial} online={data.status === 'online'} />}
                  {tab === 'tools' && <DeviceTools serial={serial} online={data.status === 'online'} />}
                  {tab === 'history' && <ObjectHistory type="device" id={serial} />}
                </Suspense>
              </Tabs>
            </>
          )}
        </Loading>
      )}
    </Dialog>
  );
}

function Facts({ data }: { data: Detail }) {
  const old = data.status !== 'online';
  const memory = memoryShare(data);
  return (
    <dl className="facts">
      <dt>{t('waiting.kind')}</dt>
      <dd>
        {t(`kind.${data.kind}`)}
        {data.is_gateway && <span className="dim"> · {t('device.is_gateway')}</span>}
      </dd>
      <dt>{t('networks.model')}</dt>
      <dd>{data.model ?? '—'}</dd>
      <dt>{t('networks.version')}</dt>
      <dd>
        <VersionText row={data} />
      </dd>
      {data.gwid && (
        <>
          <dt>{t('device.network')}</dt>
          <dd>
            <Link to={`/network/${data.gwid}`}>{data.network}</Link>
          </dd>
        </>
      )}
      <dt>{t('groups.group')}</dt>
      <dd>{data.group?.name ?? '—'}</dd>
      {data.tags.length > 0 && (
        <>
          <dt>{t('networks.tags')}</dt>
          <dd>
            <Tags tags={data.tags} />
          </dd>
        </>
      )}
      <dt>{t('aps.uplink')}</dt>
      <dd>
        <UplinkText uplink={data.uplink} old={old} />
      </dd>
      <dt>{t('device.mac')}</dt>
      <dd className="mono">{data.mac}</dd>
      <dt>{t('device.ip')}</dt>
      <dd className="mono">{data.lan_ip ?? '—'}</dd>
      <dt>{t('networks.wan_ip')}</dt>
      <dd className="mono">{data.ip ?? '—'}</dd>
      <dt>{t('device.users')}</dt>
      <dd className={old ? 'stale' : undefined}>
        <Users data={data} />
      </dd>
      <dt>{t('networks.cpu')}</dt>
      <dd>
        <Load value={data.cpu} old={old} />
      </dd>
      <dt>{t('networks.memory')}</dt>
      <dd>
        <Load value={memory} old={old} />
      </dd>
      <dt>{t('networks.running')}</dt>
      <dd>{old || data.running_time === null ? '—' : duration(data.running_time)}</dd>
      <dt>{t('device.sanity')}</dt>
      <dd>{data.sanity === null ? '—' : percent(data.sanity)}</dd>
      <dt>{t('networks.last_seen')}</dt>
      <dd>
        <RelativeTime at={data.last_seen} />
      </dd>
      {data.restart_reason && (
        <>
          <dt>{t('device.restart_reason')}</dt>
          <dd>{textOf(`restart_reason.${data.restart_reason}`) ?? data.restart_reason}</dd>
        </>
      )}
      <dt>{t('networks.bound')}</dt>
      <dd>
        <ShortTime at={data.bind_time} />
      </dd>
    </dl>
  );
}

function Users({ data }: { data: Detail }) {
  const may = useMay('user.read');
  if (data.online_user === null) return '—';
  const own = data.is_gateway ? onOwnRadios(data) : null;
  return (
    <>
      {!may || !data.gwid || data.status !== 'online' ? (
        data.online_user
      ) : (
        <Link to={`/networks/online_users/${data.gwid}`} search={{ serial: data.serial }}>
          {data.online_user}
        </Link>
      )}
      {own !== null && (
        <span className="dim" title={t('device.users_behind')}>
          {' '}
          · {t('device.users_own', { n: own })}
        </span>
      )}
    </>
  );
}

function Radios({ radios }: { radios: Detail['radios'] }) {
  if (radios.length === 0) return null;
  return (
    <section>
      <h3 className="section-title">{t('device.radios')}</h3>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('device.radio_band')}</th>
            <th>{t('device.radio_channel')}</th>
            <th>{t('device.radio_power')}</th>
            <th>{t('device.radio_util')}</th>
            <th>{t('device.radio_noise')}</th>
            <th>{t('device.radio_clients')}</th>
          </tr>
        </thead>
        <tbody>
          {radios.map((radio) => (
            <tr key={`${radio.band}${radio.channel}`} title={radio.ssids.join(', ')}>
              <td>{bandName(radio.band)}</td>
              <td>{radio.channel === null ? '—' : `${radio.channel} / ${radio.width ?? '?'} MHz`}</td>
              <td>{radio.power_dbm === null ? '—' : `${radio.power_dbm} dBm`}</td>
              <td>{radio.util_pct === null ? '—' : percent(radio.util_pct)}</td>
              <td>{radio.noise_dbm === null ? '—' : `${radio.noise_dbm} dBm`}</td>
              <td>{radio.clients ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
