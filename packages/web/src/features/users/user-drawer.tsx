import { lazy, Suspense, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { bytes, duration, mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AsOf, RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { loadHistory } from '../logs/index.ts';
import { BlockingInForce } from './blocking-in-force.tsx';
import { behindText, Signal } from './columns.tsx';
import { Compare, Verdict } from './compare.tsx';
import { bandName, nameOf, sourceText, terminalText } from './labels.ts';
import { LimitFacts } from './limit.tsx';
import { LinkFacts } from './link-facts.tsx';
import { ReservationFacts } from './reservation.tsx';
import { typedMacs } from './typed-macs.ts';
import { UserMenu } from './user-menu.tsx';

const ObjectHistory = lazy(loadHistory);
const DayCharts = lazy(async () => ({ default: (await import('./day-charts.tsx')).DayCharts }));
const ClientSessions = lazy(async () => ({ default: (await import('./client-sessions.tsx')).Sessions }));

type Detail = Data<'/api/v3/user_online/detail'>;

export function UserDrawer({ mac: written, onClose }: { mac: string; onClose: () => void }) {
  const [address] = typedMacs(written).macs;
  if (address) return <OneUser address={address} onClose={onClose} />;
  return (
    <Dialog drawer title={t('users.terminal')} onClose={onClose}>
      <Unknown what={written} />
    </Dialog>
  );
}

const Unknown = ({ what }: { what: string }) => (
  <Empty icon="search" title={t('users.unknown')} small>
    {t('users.unknown_body', { what })}
  </Empty>
);

function OneUser({ address, onClose }: { address: string; onClose: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/user_online/detail', { mac: address });
  const mayLog = useMay('log.read');
  const [tab, setTab] = useState<'facts' | 'stays' | 'log'>('facts');
  const title = data ? nameOf(data) : mac(address);
  const tabs = (['facts', 'stays', ...(mayLog ? (['log'] as const) : [])] as const).map((value) => ({
    value,
    label: t(`users.tab_${value}`),
  }));
  return (
    <Dialog drawer title={title} onClose={onClose}>
      {error instanceof ApiError && error.code === 4113 && !data ? (
        <Unknown what={mac(address)} />
      ) : error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={8}>
          {data && (
            <>
              <div className="spread">
                <span className="row">
                  <Tag tone={data.online ? 'ok' : 'none'} shape={data.online ? 'dot' : 'ring'}>
                    {data.online ? t('users.online') : t('users.offline')}
                  </Tag>
                  {data.vip && (
                    <span title={t('users.vip_hint')}>
                      <Tag tone="brand">{t('users.vip')}</Tag>
                    </span>
                  )}
                  {data.list && (
                    <Tag
                      tone={data.list === 'blocked' ? 'bad' : 'ok'}
                      shape={data.list === 'blocked' ? 'cross' : 'check'}
                    >
                      {t(`users.tab_${data.list}`)}
                    </Tag>
                  )}
                </span>
                <span className="row">
                  {data.as_of && <AsOf at={data.as_of} away={!data.online} />}
                  <UserMenu row={data} />
                </span>
              </div>
              {data.list === 'blocked' && <BlockingInForce />}
              <Tabs label={title} value={tab} onChange={setTab} tabs={tabs}>
                <Suspense fallback={<Skeleton height={240} />}>
                  {tab === 'facts' && (
                    <div className="stack">
                      <Verdict data={data} />
                      <Facts data={data} />
                      <DayCharts quarters={data.quarters} wired={data.band === 0 || data.behind} />
                      <Compare data={data} />
                    </div>
                  )}
                  {tab === 'stays' && <ClientSessions mac={address} />}
                  {tab === 'log' && <ObjectHistory type="station" id={address} />}
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
  const old = !data.online;
  const where = data.device ?? (data.serial ? mac(data.serial) : null);
  return (
    <dl className="facts">
      <dt>{t('users.terminal')}</dt>
      <dd title={sourceText(data.terminal.source)}>{terminalText(data)}</dd>
      <dt>{t('users.mac')}</dt>
      <dd>
        <span className="mono">{mac(data.mac)}</span>
        {data.random_mac && (
          <span className="small dim" title={t('users.random_hint')}>
            {' '}
            · {t('users.random')}
          </span>
        )}
      </dd>
      <dt>{t('users.hostname')}</dt>
      <dd>{data.hostname ?? '—'}</dd>
      <dt>{t('users.ip')}</dt>
      <dd className="mono">{data.ip ?? '—'}</dd>
      {data.ipv6 !== null && data.ipv6 !== data.ip && (
        <>
          <dt>{t('users.ipv6')}</dt>
          <dd className="mono">{data.ipv6}</dd>
        </>
      )}
      <dt>{old ? t('users.last_place') : t('users.now')}</dt>
      <dd className={old ? 'stale' : undefined}>
        {data.gwid && data.serial ? (
          <Link to={`/network/aps/${data.gwid}`} search={{ device: data.serial }}>
            {where}
          </Link>
        ) : (
          (where ?? '—')
        )}
        {data.band !== null && <span className="dim"> · {bandName(data.band)}</span>}
        {data.behind && (
          <span className="dim" title={t('users.behind_hint')}>
            {' · '}
            {behindText(data)}
          </span>
        )}
        {data.port && !data.behind && <span className="dim"> · {t('users.port', { port: data.port })}</span>}
      </dd>
      <dt>{t('users.network')}</dt>
      <dd>{data.gwid ? <Link to={`/network/${data.gwid}`}>{data.network}</Link> : '—'}</dd>
      <dt>{t('users.ssid')}</dt>
      <dd>
        {data.gwid && data.ssid ? (
          <Link to={`/network/${data.gwid}`} search={{ tab: 'wireless' }}>
            {data.ssid}
          </Link>
        ) : (
          (data.ssid ?? '—')
        )}
      </dd>
      {data.bssid && (
        <>
          <dt>{t('users.bssid')}</dt>
          <dd className="mono">{mac(data.bssid)}</dd>
        </>
      )}
      <dt>{t('users.rssi')}</dt>
      <dd>
        <Signal rssi={data.rssi} />
      </dd>
      <LinkFacts data={data} />
      <dt>{t('users.roams')}</dt>
      <dd>{t('users.times', { n: data.roams })}</dd>
      <dt>{t('users.auth')}</dt>
      <dd>
        {data.auth_type ? t('users.auth_portal') : t('users.auth_none')} <Account data={data} />
      </dd>
      <dt>{t('users.login')}</dt>
      <dd>
        <ShortTime at={data.login_at} />
        {data.duration_s !== null && <span className="dim"> · {duration(data.duration_s)}</span>}
      </dd>
      <dt>{t('users.session_flow')}</dt>
      <dd>
        {data.down === null ? '—' : `${t('users.down')} ${bytes(data.down)} · ${t('users.up')} ${bytes(data.up ?? 0)}`}
      </dd>
      <dt>{t('users.flow_today')}</dt>
      <dd>{data.flow_today === 0 && (data.band === 0 || data.behind) ? '—' : bytes(data.flow_today)}</dd>
      <dt>{t('users.first_seen')}</dt>
      <dd>
        <ShortTime at={data.first_seen} />
      </dd>
      <dt>{t('users.last_seen')}</dt>
      <dd>
        <RelativeTime at={data.last_seen} />
      </dd>
      <ReservationFacts data={data} />
      <LimitFacts data={data} />
    </dl>
  );
}

/** Portal account, masked; revealing it is logged. */
function Account({ data }: { data: Detail }) {
  const may = useMay('user.write');
  const [whole, setWhole] = useState<string | null>(null);
  const shown = whole ?? data.phone_masked ?? data.account;
  if (!shown) return null;
  const reveal = () =>
    call('/api/v3/user_online/reveal', { mac: data.mac })
      .then(({ account }) => setWhole(account))
      .catch(notifyError);
  return (
    <>
      <span className="mono">{shown}</span>{' '}
      {may && whole === null && (
        <Button kind="link" title={t('users.reveal_hint')} onClick={() => void reveal()}>
          {t('users.reveal')}
        </Button>
      )}
    </>
  );
}
