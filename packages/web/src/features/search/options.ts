import type { Permission } from '@yunxun/contract';
import { t, textOf } from '../../app/i18n.ts';
import { may, maySee } from '../../app/may-open.ts';
import { isPlanned, layoutRoutes } from '../../app/routes.ts';
import type { User } from '../../app/user.ts';
import { mac, shortTime } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { jobName } from '../../ui/job-name.ts';
import { operatorName } from '../../ui/operator.ts';
import { notifyError } from '../../ui/toast.tsx';
import { actionName } from '../logs/index.ts';
import { rankOf } from './found.ts';
import { type Hit, hitIcons, type Target, targetOf } from './hits.ts';
import { openMaintenance, openRestart, openSilence } from './open-act.ts';
import type { Recent } from './recent.ts';
import { readings } from './search-index.ts';

export interface Option {
  id: string;
  icon: IconName;
  title: string;
  detail?: string | undefined;
  status?: Hit['status'];
  /** Its kind in the recent list; missing: not kept. */
  keep?: string;
  target: Target | (() => void);
}

/** Options under a heading. */
export interface Group {
  title: string;
  options: Option[];
}

export const verbs = ['restart', 'silence', 'maintenance'] as const;
type Verb = (typeof verbs)[number];

export const permissionOf = {
  restart: 'network.reboot',
  silence: 'message.write',
  maintenance: 'network.write',
} as const satisfies Record<Verb, Permission>;

export interface Command {
  /** Null: none, or nothing after it. */
  verb: Verb | null;
  rest: string;
}

/** Cuts off a word for an act; the rest is searched. */
export function readCommand(word: string): Command {
  const lower = word.toLowerCase();
  for (const verb of verbs) {
    const verbWord = t(`search.${verb}_words`)
      .split(' ')
      .find((each) => lower.startsWith(each));
    const rest = verbWord ? word.slice(verbWord.length).trim() : '';
    if (rest !== '') return { verb, rest };
  }
  return { verb: null, rest: word };
}

/** By name, section, another word or pinyin. */
export function screenGroup(user: User, word: string): Group {
  const options = layoutRoutes.flatMap((row): Option[] => {
    if (!row.menu || isPlanned(row) || !maySee(row, user)) return [];
    const title = t(row.title);
    const section = row.section ? t(`section.${row.section}`) : undefined;
    const words = `search.screen_words_${row.title}`;
    const texts = [title, section ?? '', textOf(words) ?? ''];
    const found = rankOf(word, texts, `${readings[row.title] ?? ''} ${readings[words] ?? ''}`);
    if (word !== '' && found === null) return [];
    const id = `screen ${row.path}`;
    return [{ id, icon: row.menu.icon, title, detail: section, keep: 'screen', target: { to: row.menu.to } }];
  });
  return { title: t('search.screens'), options };
}

export function recentGroup(recent: readonly Recent[]): Group {
  const options = recent.map(
    ({ kind, title, to, search }, index): Option => ({
      id: `recent ${index}`,
      icon: kind in hitIcons ? hitIcons[kind as Hit['kind']] : 'clock',
      title,
      keep: kind,
      target: { to, ...(search ? { search } : {}) },
    }),
  );
  return { title: t('search.recent'), options };
}

export function hitGroups(hits: readonly Hit[]): Group[] {
  const kinds = [...new Set(hits.map(({ kind }) => kind))];
  return kinds.map((kind) => ({
    title: t(`search.kind_${kind}`),
    options: hits.filter((hit) => hit.kind === kind).map(hitOption),
  }));
}

function hitOption(hit: Hit): Option {
  const { kind, id, title, detail, type, network, status, at } = hit;
  const type_text =
    kind === 'device'
      ? textOf(`search.type_${type}`)
      : kind === 'person'
        ? textOf(`role.${type}`)
        : kind === 'peripheral'
          ? textOf(`search.peripheral_${type}`)
          : kind === 'alarm'
            ? textOf(`alarm_level.${type}`)
            : kind === 'log'
              ? actionName(type ?? '')
              : null;
  const address = kind === 'device' || kind === 'client' ? mac(id) : null;
  const operator = kind === 'log' && detail !== null ? operatorName(detail) : detail;
  const when = at ? shortTime(new Date(at)) : null;
  const place = kind === 'network' || kind === 'alarm' ? null : network;
  // first, as a narrow screen cuts off the end and devices of several networks share names
  const site = kind === 'device' ? place : null;
  const reported = [site, type_text, operator, address, site ? null : place, when].filter(
    (text) => text && text !== title,
  );
  const name = kind === 'job' ? jobName(title) : kind === 'log' ? title || actionName(type ?? '') : title || mac(id);
  return {
    id: `${kind} ${id}`,
    icon: hitIcons[kind],
    title: name,
    detail: reported.join(' · ') || undefined,
    status,
    ...(kind === 'job' ? {} : { keep: kind }),
    target: targetOf(hit) ?? (() => openJobs(id)),
  };
}

/** For the first network and device; with a verb, for all that it can be done to. */
export function actionGroup(user: User, hits: readonly Hit[], { verb, rest }: Command): Group {
  const placed = hits.filter(({ kind }) => kind === 'network' || kind === 'device');
  const firsts = (['network', 'device'] as const).flatMap((kind) => placed.find((hit) => hit.kind === kind) ?? []);
  const options = verb
    ? placed.flatMap((hit) => actOn(user, hit, verb))
    : [...firsts.flatMap((hit) => actsOn(user, hit)), ...searches(user, rest)];
  return { title: t('search.actions'), options };
}

function actsOn(user: User, hit: Hit): Option[] {
  const name = hit.title || mac(hit.id);
  const id = `${hit.kind} ${hit.id}`;
  const options = [...actOn(user, hit, 'restart'), ...actOn(user, hit, 'silence'), ...actOn(user, hit, 'maintenance')];
  if (!hit.gwid) return options;
  if (hit.kind === 'network' && may(user, 'config.read'))
    options.push({
      id: `wireless ${id}`,
      icon: 'wifi',
      title: t('search.open_wireless', { name }),
      target: { to: `/network/${hit.gwid}`, search: { tab: 'wireless' } },
    });
  if (may(user, 'user.read'))
    options.push({
      id: `clients ${id}`,
      icon: 'users',
      title: t('search.open_clients', { name }),
      target: {
        to: `/networks/online_users/${hit.gwid}`,
        ...(hit.kind === 'device' ? { search: { serial: hit.id } } : {}),
      },
    });
  return options;
}

type Acted = Pick<Hit, 'kind' | 'id' | 'title' | 'network' | 'status'>;

/** None without permission, or for a device that only networks can do. */
export function actOn(user: User, hit: Acted, verb: Verb): Option[] {
  const { kind, id, network, status } = hit;
  const name = hit.title || mac(id);
  const option = (icon: IconName, target: () => void): Option[] => [
    { id: `${verb} ${kind} ${id}`, icon, title: t(`search.${verb}`, { name }), detail: network ?? undefined, target },
  ];
  if (!may(user, permissionOf[verb])) return [];
  if (verb === 'restart')
    return status === 'online'
      ? option('power', () => void openRestart({ kind, id, title: name }).catch(notifyError))
      : [];
  if (kind !== 'network') return [];
  return verb === 'silence'
    ? option('bell', () => openSilence(id, name))
    : option('clock', () => openMaintenance(id, name));
}

function searches(user: User, word: string): Option[] {
  const options: Option[] = [];
  if (word === '') return options;
  if (may(user, 'user.read'))
    options.push({
      id: 'in clients',
      icon: 'users',
      title: t('search.in_clients', { word }),
      target: { to: '/networks/online_users', search: { tab: 'history', keyword: word } },
    });
  if (may(user, 'log.read'))
    options.push({
      id: 'in log',
      icon: 'list',
      title: t('search.in_log', { word }),
      target: { to: '/logs/action', search: { keyword: word } },
    });
  return options;
}
