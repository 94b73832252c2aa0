import { t } from '../../app/i18n.ts';
import { maySee } from '../../app/may-open.ts';
import { layoutRoutes } from '../../app/routes.ts';
import type { User } from '../../app/user.ts';
import type { Group, Option } from './options.ts';

/** Path of the screen's row, the tab that holds the setting; the row's conditions apply. */
const places = {
  alarm_rules: ['/alarm', 'rules'],
  alarm_recipients: ['/alarm_subscribe', null],
  alarm_browsers: ['/alarm_subscribe', 'browsers'],
  reports: ['/alarm_subscribe', 'reports'],
  roles: ['/account', 'roles'],
  invitations: ['/account', 'invitations'],
  hosting: ['/account', 'given'],
  account: ['/account', 'account'],
  password: ['/security', null],
  second_factor: ['/security', null],
  passkeys: ['/security', null],
  sessions: ['/security', 'sessions'],
  tokens: ['/security', 'tokens'],
  contacts: ['/profile', null],
  language: ['/personalization', null],
  theme: ['/personalization', null],
  zone: ['/personalization', null],
  shield: ['/cloud_security/index', 'settings'],
  shield_allow: ['/cloud_security/index', 'allowlist'],
  blocked: ['/networks/online_users/{-$gwid}', 'blocked'],
  backup: ['/config/router_cloud_backup', null],
  registration: ['/install', null],
  retention: ['/install', null],
  mail: ['/install', 'delivery'],
  sms: ['/install', 'delivery'],
  payments: ['/install', 'payments'],
} as const satisfies Record<string, readonly [path: string, tab: string | null]>;

/** Tab of a network's page. */
const networkPlaces = {
  wan: 'gateway',
  dhcp: 'gateway',
  forwards: 'gateway',
  limits: 'gateway',
  ssids: 'wireless',
  radios: 'wireless',
  window: 'settings',
  restarts: 'settings',
  contact: 'settings',
} as const;

type Setting = keyof typeof places;
type NetworkSetting = keyof typeof networkPlaces;

const networkRow = '/network/$gwid';

/** By name or synonym. Settings of a network lead to that on the screen, else to the list. */
export function settingGroup(user: User, word: string, gwid: string | null): Group {
  const sought = word.toLowerCase();
  const says = (...texts: string[]) => sought !== '' && texts.some((text) => text.toLowerCase().includes(sought));
  const rowOf = (path: string) => layoutRoutes.find((row) => row.path === path && maySee(row, user));
  const options: Option[] = [];
  for (const key of Object.keys(places) as Setting[]) {
    const [path, tab] = places[key];
    const row = rowOf(path);
    const title = t(`search.setting_${key}`);
    if (!row?.menu || !says(title, t(`search.setting_words_${key}`))) continue;
    options.push({
      id: `setting ${key}`,
      icon: 'sliders',
      title,
      detail: t(row.title),
      keep: 'setting',
      target: { to: row.menu.to, ...(tab ? { search: { tab } } : {}) },
    });
  }
  const mayConfigure = user.permissions.includes('config.read');
  for (const key of Object.keys(networkPlaces) as NetworkSetting[]) {
    const tab = networkPlaces[key];
    const title = t(`search.setting_${key}`);
    if (!rowOf(networkRow) || !says(title, t(`search.setting_words_${key}`))) continue;
    if (tab !== 'settings' && !mayConfigure) continue;
    options.push({
      id: `setting ${key}`,
      icon: 'sliders',
      title,
      keep: 'setting',
      detail: gwid === null ? t('search.setting_choose_network') : t('search.setting_this_network'),
      target: gwid === null ? { to: '/networks' } : { to: `/network/${gwid}`, search: { tab } },
    });
  }
  return { title: t('search.settings'), options };
}
