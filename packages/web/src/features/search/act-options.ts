import type { Permission } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import { may, maySee } from '../../app/may-open.ts';
import { layoutRoutes } from '../../app/routes.ts';
import type { User } from '../../app/user.ts';
import type { IconName } from '../../ui/icon.tsx';
import { rankOf } from './found.ts';
import { openNewNetwork } from './open-act.ts';
import { actOn, type Option, permissionOf, verbs } from './options.ts';
import { readings } from './search-index.ts';

interface Act {
  icon: IconName;
  permission: Permission;
  /** Path of its screen's row, whose conditions apply. */
  path: string;
  tab?: string;
  /** Opens a dialog instead of the screen. */
  open?: () => void;
  /** Not with a right for some networks only. */
  whole?: true;
}

const acts = {
  new_network: { icon: 'plus', permission: 'network.bind', path: '/networks', open: openNewNetwork, whole: true },
  adopt: { icon: 'inbox', permission: 'network.bind', path: '/waiting_devices' },
  new_wireless: { icon: 'wifi', permission: 'config.write', path: '/config/template_wireless/wireless_create' },
  new_ac: { icon: 'layers', permission: 'config.write', path: '/config/template_wireless/ac_create' },
  new_sdwan: { icon: 'link', permission: 'network.write', path: '/sdwan/create' },
  vouchers: { icon: 'card', permission: 'voucher.write', path: '/vouchers' },
  subscribe: { icon: 'bell', permission: 'message.write', path: '/alarm_subscribe' },
  invite: { icon: 'user', permission: 'account.write', path: '/account', tab: 'invitations' },
  batch: { icon: 'network', permission: 'network.write', path: '/networks' },
} as const satisfies Record<string, Act>;

type Network = Parameters<typeof actOn>[1];

/** By name, another word or pinyin; those on a network are offered for that on the screen, else from the list. */
export function actOptions(user: User, word: string, here: Network | null): Option[] {
  const says = (title: string, key: string) => {
    const words = `search.act_words_${key}` as const;
    return rankOf(word, [title, t(words as 'search.act_words_adopt')], readingsOf(`search.act_${key}`, words)) !== null;
  };
  const found = (Object.keys(acts) as (keyof typeof acts)[]).flatMap((key): Option[] => {
    const { icon, permission, path, tab, open, whole }: Act = acts[key];
    const title = t(`search.act_${key}`);
    const row = layoutRoutes.find((one) => one.path === path && maySee(one, user));
    if (!row || !may(user, permission) || (whole && user.gwids) || !says(title, key)) return [];
    const target = open ?? { to: path, ...(tab ? { search: { tab } } : {}) };
    return [{ id: `act ${key}`, icon, title, target }];
  });
  const onSite = verbs.flatMap((verb): Option[] => {
    const rank = rankOf(word, t(`search.${verb}_words`).split(' '), readings[`search.${verb}_words`]);
    if (rank === null) return [];
    if (here) return actOn(user, here, verb);
    if (!may(user, permissionOf[verb])) return [];
    const [title, detail] = [t(`search.${verb}_any`), t('search.setting_choose_network')];
    return [{ id: `act ${verb}`, icon: 'network', title, detail, target: { to: '/networks' } }];
  });
  return [...onSite, ...found];
}

const readingsOf = (...keys: readonly string[]) => keys.map((key) => readings[key] ?? '').join(' ');
