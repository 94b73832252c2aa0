import { useNavigate } from '@tanstack/react-router';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import type { UserRow } from './labels.ts';

type Gateway = Data<'/api/v3/network/gateway/get'>;
type Client = Pick<UserRow, 'mac' | 'ip' | 'ipv6' | 'gwid' | 'remark' | 'hostname'>;

/** Gates that prevent reservations. */
const unable: readonly Gateway['gates'][number][] = ['no_gateway', 'firmware', 'never_connected', 'no_dnsmasq'];

function reserves({ gates }: Pick<Gateway, 'gates'>): boolean {
  return !gates.some((gate) => unable.includes(gate));
}

/** Reservations are of DHCP for IPv4. */
export const ipv4Of = ({ ip, ipv6 }: Pick<Client, 'ip' | 'ipv6'>): string | null => (ip === ipv6 ? null : ip);

export function reservationOf(client: Client): Record<string, string> {
  const { mac, remark, hostname } = client;
  return { lease_mac: mac, lease_ip: ipv4Of(client) ?? '', lease_name: remark || hostname || '' };
}

export function reservedFor({ networks }: Pick<Gateway['settings'], 'networks'>, mac: string): string | undefined {
  const digits = mac.replaceAll(':', '');
  return networks.flatMap(({ leases }) => leases).find((lease) => lease.mac.replaceAll(':', '') === digits)?.address;
}

export function useReserve(): (row: Client) => void {
  const navigate = useNavigate();
  return (row) => {
    const { gwid } = row;
    if (gwid === null) return;
    call('/api/v3/network/gateway/get', { gwid })
      .then((gateway) => {
        if (reserves(gateway)) void navigate({ to: `/network/gateway/${gwid}`, search: reservationOf(row) as never });
        else notify('info', t('users.reserve_cannot'));
      })
      .catch(notifyError);
  };
}

export function ReservationFacts({ data }: { data: Client }) {
  const { mac, gwid } = data;
  const mayRead = useMay('config.read');
  const mayWrite = useMay('config.write');
  const { data: gateway } = useRead(
    '/api/v3/network/gateway/get',
    { gwid: gwid ?? '' },
    { enabled: gwid !== null && mayRead },
  );
  if (!gateway || !reserves(gateway)) return null;
  const address = reservedFor(gateway.settings, mac);
  return (
    <>
      <dt>{t('users.reserved')}</dt>
      <dd>
        <div>{address ? <span className="mono">{address}</span> : t('users.reserved_none')}</div>
        {mayWrite && (
          <div>
            <Link to={`/network/gateway/${gwid}`} search={reservationOf(data)}>
              {t(address ? 'users.reserve_change' : 'users.reserve')}
            </Link>
          </div>
        )}
      </dd>
    </>
  );
}
