import type { MessageKey } from '../../../app/i18n.ts';
import { t } from '../../../app/i18n.ts';
import { leadsToPlanned } from '../../../app/routes.ts';
import { useMay, useUser } from '../../../app/shell/current.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';

const places: readonly { title: MessageKey; body: MessageKey; icon: IconName; to: (gwid: string) => string }[] = [
  { title: 'home.online_users', body: 'more.users', icon: 'users', to: (gwid) => `/networks/online_users/${gwid}` },
  { title: 'home.wireless_monitor', body: 'more.wireless', icon: 'wifi', to: (gwid) => `/wireless_monitor/${gwid}` },
  { title: 'home.topology', body: 'more.topology', icon: 'share', to: (gwid) => `/topology/${gwid}` },
  { title: 'home.asset', body: 'more.assets', icon: 'box', to: (gwid) => `/asset/${gwid}` },
  {
    title: 'config.router_cloud_backup',
    body: 'more.backup',
    icon: 'archive',
    to: () => '/config/router_cloud_backup',
  },
  { title: 'home.device_index', body: 'more.peripherals', icon: 'printer', to: (gwid) => `/device/index/${gwid}` },
  { title: 'home.auth_index', body: 'more.auth', icon: 'key', to: (gwid) => `/auth/${gwid}` },
  { title: 'home.sms_pay_log', body: 'more.sms', icon: 'wallet', to: (gwid) => `/sms_pay_log/${gwid}` },
  { title: 'config.cloud_security', body: 'more.security', icon: 'shield', to: () => '/cloud_security/index' },
  { title: 'messages.alarm', body: 'more.alarms', icon: 'bell', to: () => '/alarm' },
  { title: 'messages.log_upgrade', body: 'more.upgrades', icon: 'refresh', to: () => '/logs/upgrade' },
];

export function NetworkMore({ gwid }: { gwid: string }) {
  const mayUsers = useMay('user.read');
  const isWhole = useUser().gwids === null;
  const seesMoney = useMay('billing.read') && isWhole;
  return (
    <ul className="cards places">
      {places
        .filter(({ title }) => title !== 'home.online_users' || mayUsers)
        .filter(({ title }) => title !== 'home.sms_pay_log' || seesMoney)
        .map(({ title, body, icon, to }) => {
          const planned = leadsToPlanned(to(gwid));
          return (
            <li key={title} className="list-card">
              <span className="row">
                <Icon name={icon} size={18} />
                {planned ? <strong>{t(title)}</strong> : <Link to={to(gwid)}>{t(title)}</Link>}
                {planned && <span className="label">{t('more.planned')}</span>}
              </span>
              <p className="small dim">{t(body)}</p>
            </li>
          );
        })}
    </ul>
  );
}
