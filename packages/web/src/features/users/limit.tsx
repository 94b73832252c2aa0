import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';

type Detail = Data<'/api/v3/user_online/detail'>;
type Gateway = Data<'/api/v3/network/gateway/get'>;
type Settings = Gateway['settings'];

/** Gates that prevent rate limits at the gateway. */
const unable: readonly Gateway['gates'][number][] = ['firmware', 'never_connected', 'no_shaping'];

/** At the gateway with an agent, else at the access point. */
export function LimitFacts({ data }: { data: Pick<Detail, 'mac' | 'ip' | 'gwid' | 'band'> }) {
  const { mac, ip, gwid, band } = data;
  const mayRead = useMay('config.read');
  const mayWrite = useMay('config.write');
  const { data: gateway } = useRead(
    '/api/v3/network/gateway/get',
    { gwid: gwid ?? '' },
    { enabled: gwid !== null && mayRead },
  );
  const limits = gateway?.gateway && !gateway.gates.some((gate) => unable.includes(gate));
  if (!limits && band === 0) return null;
  const own = limits ? limitOf(gateway.settings, mac, ip) : undefined;
  return (
    <>
      <dt>{t('users.limit')}</dt>
      <dd>
        {limits ? (
          <>
            <div>
              {own
                ? t('users.limit_on_gateway', { down: rate(own.down_mbps), up: rate(own.up_mbps) })
                : t('users.limit_no')}
            </div>
            {mayWrite && (
              <div>
                <Link to={`/network/gateway/${gwid}`} search={{ limit_mac: mac }}>
                  {t(own ? 'users.limit_change' : 'users.limit_gateway')}
                </Link>
              </div>
            )}
          </>
        ) : (
          <>
            <div>{t('users.limit_none')}</div>
            {gwid && (
              <div>
                <Link to={`/network/${gwid}`} search={{ tab: 'wireless' }}>
                  {t('users.limit_where')}
                </Link>
              </div>
            )}
          </>
        )}
      </dd>
    </>
  );
}

/** Returns the client's own limit; by MAC takes precedence over by address. */
export function limitOf(
  { limits }: Pick<Settings, 'limits'>,
  mac: string,
  ip: string | null,
): Settings['limits'][number] | undefined {
  const digits = mac.replaceAll(':', '');
  return (
    limits.find(({ kind, target }) => kind === 'mac' && target.replaceAll(':', '') === digits) ??
    limits.find(({ kind, target }) => kind === 'address' && target === ip)
  );
}

function rate(mbps: number | null): string {
  return mbps === null ? t('users.limit_free') : t('users.limit_mbps', { n: mbps });
}
