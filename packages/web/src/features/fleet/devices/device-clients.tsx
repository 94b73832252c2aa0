import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { mac } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { Text } from '../shared-columns.tsx';
import { bandName } from './band-name.ts';

const shown = 50;

export function DeviceClients({ serial, gwid }: { serial: string; gwid: string | null }) {
  const { data, error, refetch } = useRead('/api/v3/user_online/list', { serial, page: 1, limit: shown });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={6}>
      {data?.total === 0 ? (
        <Empty icon="users" title={t('clients.none')} small>
          {t('clients.none_body')}
        </Empty>
      ) : (
        <div className="stack stack-s">
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('clients.terminal')}</th>
                <th>{t('device.ip')}</th>
                <th>{t('device.radio_band')}</th>
                <th>{t('clients.signal')}</th>
                <th>{t('clients.since')}</th>
              </tr>
            </thead>
            <tbody>
              {data?.list.map((user) => (
                <tr key={user.mac}>
                  <td>
                    <span className="name-cell two-lines">
                      {(user.remark || user.hostname) && (
                        <span className="ellipsis client-name">{user.remark || user.hostname}</span>
                      )}
                      <span className="mono nowrap">{mac(user.mac)}</span>
                    </span>
                  </td>
                  <td>
                    <Text value={user.ip} mono />
                  </td>
                  <td>
                    {user.band ? (
                      <span className="name-cell two-lines">
                        <span className="nowrap">{bandName(`${user.band}G`)}</span>
                        <span className="small dim ellipsis client-ssid" title={user.ssid ?? undefined}>
                          {user.ssid}
                        </span>
                      </span>
                    ) : user.behind ? (
                      t('clients.behind')
                    ) : (
                      t('clients.wired')
                    )}
                  </td>
                  <td className="nowrap">{user.rssi === null ? '—' : `${user.rssi} dBm`}</td>
                  <td className="nowrap">
                    <RelativeTime at={user.login_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {gwid && (
            <Link to={`/networks/online_users/${gwid}`} search={{ serial }} className="small">
              {t('clients.all', { n: data?.total ?? 0 })}
            </Link>
          )}
        </div>
      )}
    </Loading>
  );
}
