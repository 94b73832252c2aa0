import { locale, t } from '../../app/i18n.ts';
import { maySee } from '../../app/may-open.ts';
import { layoutRoutes } from '../../app/routes.ts';
import type { User } from '../../app/user.ts';
import { partsOf, rankOf, sameWords } from './found.ts';
import type { Group, Option } from './options.ts';
import { type Place, readings, type SettingLabel, settingIndex } from './search-index.ts';

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

const shownLabels = 8;

/**
 * By name, synonym, pinyin, or the label of a field; with `parts` by a part of the word if nothing has all of it.
 * Settings of a network lead to that on the screen, else to the list.
 */
export function settingGroup(user: User, word: string, gwid: string | null, parts: boolean): Group {
  const named = namedSettings(user, word, gwid);
  const titles = new Set(named.map(({ title }) => title));
  const labelled = labelledSettings(user, word, gwid, parts && named.length === 0).filter(
    ({ title }) => !titles.has(title),
  );
  return { title: t('search.settings'), options: [...named, ...labelled.slice(0, shownLabels)] };
}

function namedSettings(user: User, word: string, gwid: string | null): Option[] {
  const says = (key: Setting | NetworkSetting) => {
    const [title, words] = [`search.setting_${key}`, `search.setting_words_${key}`] as const;
    return rankOf(word, [t(title), t(words)], `${readings[title] ?? ''} ${readings[words] ?? ''}`) !== null;
  };
  const options: Option[] = [];
  for (const key of Object.keys(places) as Setting[]) {
    const [path, tab] = places[key];
    const row = rowOf(user, path);
    if (!row?.menu || !says(key)) continue;
    options.push({
      id: `setting ${key}`,
      icon: 'sliders',
      title: t(`search.setting_${key}`),
      detail: t(row.title),
      keep: 'setting',
      target: { to: row.menu.to, ...(tab ? { search: { tab } } : {}) },
    });
  }
  for (const key of Object.keys(networkPlaces) as NetworkSetting[]) {
    const tab = networkPlaces[key];
    const target = targetIn(user, [networkRow, tab], gwid);
    if (target && says(key))
      options.push({
        id: `setting ${key}`,
        icon: 'sliders',
        title: t(`search.setting_${key}`),
        keep: 'setting',
        ...target,
      });
  }
  return options;
}

/** Best first; with `parts` labels with only a part of the word if none has all of it. */
function labelledSettings(user: User, word: string, gwid: string | null, parts: boolean): Option[] {
  const others = sameWords(word, t('search.same_words'));
  const ranked = settingIndex.labels.flatMap((label): [number, SettingLabel][] => {
    const own = rankOf(word, label.slice(0, 2) as string[], label[2]);
    const other = others.map((one) => rankOf(one, label.slice(0, 2) as string[])).find((rank) => rank !== null);
    const rank = own ?? (other === undefined ? null : other + 3);
    return rank === null ? [] : [[rank, label]];
  });
  const found = ranked.length > 0 || !parts ? ranked : labelsWithParts(partsOf(word));
  const sorted = found.toSorted(([a, one], [b, two]) => a - b || one[0].length - two[0].length);
  const options = new Map<string, Option>();
  for (const [, [zh, en, , at]] of sorted) {
    const [title, other] = locale() === 'en' ? [en, zh] : [zh, en];
    const isOther = rankOf(word, [title]) === null && rankOf(word, [other]) !== null;
    for (const place of at.map((one) => settingIndex.places[one]!)) {
      const target = targetIn(user, place, gwid);
      if (!target) continue;
      const detail = isOther ? `${other} · ${target.detail}` : target.detail;
      const id = `label ${title} ${place.join(' ')}`;
      if (!options.has(id)) options.set(id, { id, icon: 'sliders', title, keep: 'setting', ...target, detail });
    }
  }
  return [...options.values()];
}

function labelsWithParts(parts: readonly string[]): [number, SettingLabel][] {
  return settingIndex.labels.flatMap((label): [number, SettingLabel][] => {
    const has = parts.filter((part) => rankOf(part, label.slice(0, 2) as string[]) !== null).length;
    return has === 0 ? [] : [[parts.length - has, label]];
  });
}

const rowOf = (user: User, path: string) => layoutRoutes.find((row) => row.path === path && maySee(row, user));

/** Returns null without permission. */
function targetIn(
  user: User,
  [path, tab]: Place,
  gwid: string | null,
): { detail: string; target: { to: string; search?: Record<string, string> } } | null {
  const row = rowOf(user, path);
  const isConfiguration = path === networkRow && (tab === 'gateway' || tab === 'wireless');
  if (!row || (isConfiguration && !user.permissions.includes('config.read'))) return null;
  const search = tab === null ? {} : { search: { tab } };
  const page = row.path === networkRow ? '' : `${t(row.title)} · `;
  if (path.includes('/$gwid') && gwid === null)
    return { detail: `${page}${t('search.setting_choose_network')}`, target: { to: '/networks' } };
  const to = path.replace('$gwid', gwid ?? '').replace(/\/\{-\$\w+\}/g, '');
  const detail = path.includes('/$gwid') ? `${page}${t('search.setting_this_network')}` : t(row.title);
  return { detail, target: { to, ...search } };
}
