import { loadTexts, t, textOf } from '../../app/i18n.ts';
import { may, maySee } from '../../app/may-open.ts';
import { isPlanned, layoutRoutes } from '../../app/routes.ts';
import type { User } from '../../app/user.ts';
import { mac, shortTime } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { jobName } from '../../ui/job-name.ts';
import { operatorName } from '../../ui/operator.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import { actionName } from '../logs/index.ts';
import { type Hit, hitIcons, type Target, targetOf } from './hits.ts';
import type { Recent } from './recent.ts';
import { screenInitials } from './screen-initials.ts';

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

/** Cuts off a word for a restart; the rest is searched. */
export function readCommand(word: string): { restart: boolean; rest: string } {
  const verb = t('search.restart_words')
    .split(' ')
    .find((each) => word.toLowerCase().startsWith(each));
  const rest = verb ? word.slice(verb.length).trim() : word;
  return verb && rest ? { restart: true, rest } : { restart: false, rest: word };
}

/** By name, section or initials. */
export function screenGroup(user: User, word: string): Group {
  const sought = word.toLowerCase();
  const options = layoutRoutes.flatMap((row): Option[] => {
    if (!row.menu || isPlanned(row) || !maySee(row, user)) return [];
    const title = t(row.title);
    const section = row.section ? t(`section.${row.section}`) : undefined;
    const texts = [title, section ?? '', screenInitials[row.title] ?? ''];
    if (!texts.some((text) => text.toLowerCase().includes(sought))) return [];
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
  const reported = [type_text, operator, address, place, when].filter((text) => text && text !== title);
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

/** For the first network and device; for all of them on a restart. */
export function actionGroup(
  user: User,
  hits: readonly Hit[],
  { restart, rest }: ReturnType<typeof readCommand>,
): Group {
  const options: Option[] = [];
  const placed = hits.filter(({ kind }) => kind === 'network' || kind === 'device');
  const firsts = (['network', 'device'] as const).flatMap((kind) => placed.find((hit) => hit.kind === kind) ?? []);
  for (const hit of restart ? placed : firsts) {
    const name = hit.title || mac(hit.id);
    const id = `${hit.kind} ${hit.id}`;
    if (may(user, 'network.reboot') && hit.status === 'online')
      options.push({
        id: `restart ${id}`,
        icon: 'power',
        title: t('search.restart', { name }),
        detail: hit.network ?? undefined,
        target: () => void askRestart(hit).catch(notifyError),
      });
    if (restart || !hit.gwid) continue;
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
  }
  if (!restart && rest !== '') {
    if (may(user, 'user.read'))
      options.push({
        id: 'in clients',
        icon: 'users',
        title: t('search.in_clients', { word: rest }),
        target: { to: '/networks/online_users', search: { tab: 'history', keyword: rest } },
      });
    if (may(user, 'log.read'))
      options.push({
        id: 'in log',
        icon: 'list',
        title: t('search.in_log', { word: rest }),
        target: { to: '/logs/action', search: { keyword: rest } },
      });
  }
  return { title: t('search.actions'), options };
}

/** The lists' dialog, with the present object. */
async function askRestart({ kind, id, title }: Hit): Promise<void> {
  const { findDevice, findNetwork, rebootDevices, rebootNetworks } = await import('./restart.ts');
  await loadTexts('fleet', 'wireless');
  const gone = () => notify('info', t('search.gone', { name: title || mac(id) }));
  if (kind === 'network') {
    const row = await findNetwork(id);
    if (row?.status === 'online') rebootNetworks([row]);
    else gone();
  } else {
    const row = await findDevice(id);
    if (row?.status === 'online') rebootDevices([row]);
    else gone();
  }
}
