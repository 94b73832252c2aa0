import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isMissing } from '../../../app/api-error.ts';
import { t } from '../../../app/i18n.ts';
import { Wireless } from '../../../app/lazy-parts.ts';
import { oneOf, useSearch } from '../../../app/search.ts';
import { useMay, useParam } from '../../../app/shell/current.ts';
import { useSiteTitle } from '../../../app/shell/page-title.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { TrialNotice } from '../../../ui/commit-confirm-notice.tsx';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { duration, exactTime } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { StatusTag, SyncChip } from '../../../ui/status.tsx';
import { EditCell } from '../../../ui/table/edit-cell.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { AsOf, useNow } from '../../../ui/time.tsx';
import { loadGateway } from '../../configuration/index.ts';
import { loadHistory } from '../../logs/index.ts';
import { loadEvents } from '../outages/load-events.ts';
import { loadNetworkTools } from '../tools/load.ts';
import { loadNetworkSettings } from './load-network-settings.ts';
import { rebootNetworks } from './network-actions.tsx';
import { renameNetwork } from './network-columns.tsx';
import { NetworkMenu } from './network-menu.tsx';
import '../fleet.css';

const refreshMs = 15_000;
const tabs = ['overview', 'gateway', 'wireless', 'devices', 'events', 'tools', 'history', 'settings', 'more'] as const;
const NetworkOverview = lazy(async () => ({ default: (await import('./network-overview.tsx')).NetworkOverview }));
const NetworkDevices = lazy(async () => ({ default: (await import('./network-devices.tsx')).NetworkDevices }));
const EventsTab = lazy(loadEvents);
const NetworkMore = lazy(async () => ({ default: (await import('./network-more.tsx')).NetworkMore }));
const NetworkTools = lazy(loadNetworkTools);
const NetworkSettings = lazy(loadNetworkSettings);
const Gateway = lazy(loadGateway);
const ObjectHistory = lazy(loadHistory);

export function NetworkScreen() {
  const gwid = useParam('gwid');
  const navigate = useNavigate();
  const [search, change] = useSearch();
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayConfig = useMay('config.read');
  const mayLog = useMay('log.read');
  const tab = oneOf(search.tab, tabs) ?? 'overview';
  const { data, error, refetch } = useRead('/api/v3/network/detail', { gwid }, { refetchMs: refreshMs });
  useSiteTitle(data?.remark);
  if (error && !data) {
    const gone = isMissing(error);
    return (
      <div className="page">
        <section className="card">
          {gone ? (
            <Empty
              icon="network"
              title={error.message}
              actions={
                <Link to="/networks" className="btn">
                  {t('network.back')}
                </Link>
              }
            />
          ) : (
            <Failed error={error} retry={() => void refetch()} />
          )}
        </section>
      </div>
    );
  }
  return (
    <div className="page">
      <div>
        <Link to="/networks" className="crumb">
          {t('network.back')}
          <Icon name="chevron_right" size={13} />
        </Link>
        <div className="page-head">
          <div className="page-title">
            {data ? (
              <>
                <h1>
                  {mayWrite ? (
                    <EditCell
                      label={t('networks.name')}
                      value={data.remark}
                      rule="freeText"
                      save={(name) => renameNetwork(data, name)}
                    >
                      <span className="ellipsis">{data.remark}</span>
                    </EditCell>
                  ) : (
                    data.remark
                  )}
                </h1>
                <StatusTag status={data.status} />
                {data.status_since && (
                  <span className="small dim nowrap">
                    <StatusFor since={data.status_since} />
                  </span>
                )}
                {data.sync_state && (
                  <SyncChip
                    state={data.sync_state}
                    trialUntil={data.trial_until}
                    returnedAt={data.returned_at}
                    reason={data.sync_reason}
                  />
                )}
                <AsOf at={data.as_of} away={data.status !== 'online'} />
              </>
            ) : (
              <Skeleton width={280} height={24} />
            )}
          </div>
          {data && (
            <div className="row">
              {mayReboot && (
                <Button
                  icon="power"
                  why={data.status === 'online' ? undefined : t('networks.offline_why')}
                  onClick={() => rebootNetworks([data])}
                >
                  {t('networks.reboot')}
                </Button>
              )}
              <NetworkMenu row={data} leave={() => void navigate({ to: '/networks' })} />
            </div>
          )}
        </div>
      </div>
      <Tabs
        label={t('home.network')}
        value={tab}
        onChange={(value) => void navigate({ to: '.', search: (value === 'overview' ? {} : { tab: value }) as never })}
        tabs={[
          { value: 'overview', label: t('network.tab_overview') },
          ...(mayConfig
            ? [
                { value: 'gateway' as const, label: t('home.network_gateway') },
                { value: 'wireless' as const, label: t('network.tab_wireless') },
              ]
            : []),
          { value: 'devices', label: t('network.tab_devices') },
          { value: 'events', label: t('device.tab_events') },
          { value: 'tools', label: t('network.tab_tools') },
          ...(mayLog ? [{ value: 'history' as const, label: t('network.tab_history') }] : []),
          { value: 'settings', label: t('network.tab_settings') },
          { value: 'more', label: t('network.tab_more') },
        ]}
      >
        <Suspense fallback={<Skeleton height={240} />}>
          {data && tab === 'overview' && (
            <NetworkOverview data={data} onDevice={(device) => change({ tab: 'devices', device }, true)} />
          )}
          {tab === 'gateway' && mayConfig && (
            <div className="stack">
              {data && <TrialNotice data={data} settings />}
              <Gateway gwid={gwid} />
            </div>
          )}
          {tab === 'wireless' && mayConfig && <Wireless gwid={gwid} />}
          {tab === 'devices' && <NetworkDevices gwid={gwid} />}
          {tab === 'events' && (
            <section className="card card-pad">
              <EventsTab gwid={gwid} />
            </section>
          )}
          {tab === 'tools' && <NetworkTools gwid={gwid} />}
          {data && tab === 'settings' && <NetworkSettings data={data} />}
          {tab === 'more' && <NetworkMore gwid={gwid} />}
          {tab === 'history' && mayLog && (
            <section className="card card-pad">
              <ObjectHistory type="network" id={gwid} />
            </section>
          )}
        </Suspense>
      </Tabs>
    </div>
  );
}

function StatusFor({ since }: { since: string }) {
  const now = useNow();
  const begun = new Date(since);
  return (
    <time dateTime={since} title={exactTime(begun)}>
      {t('network.since', { time: duration((now - begun.getTime()) / 1000) })}
    </time>
  );
}
