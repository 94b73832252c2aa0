import type { User } from '../../../app/user.ts';

export const cardIds = [
  'problems',
  'outages',
  'tiles',
  'attention',
  'jobs',
  'alarms',
  'wireless',
  'trend',
  'flow',
  'income',
  'online',
  'auth',
  'intercept',
  'networks',
  'aps',
  'bands',
  'ranking',
  'flow_model',
  'user_model',
] as const;
export type CardId = (typeof cardIds)[number];

/** Minimum width in twelfths; cards share the rest of their row. */
export const spans: Readonly<Record<CardId, number>> = {
  problems: 6,
  outages: 6,
  tiles: 12,
  attention: 8,
  jobs: 4,
  alarms: 4,
  wireless: 8,
  trend: 8,
  flow: 4,
  income: 3,
  online: 3,
  auth: 3,
  intercept: 3,
  networks: 4,
  aps: 4,
  bands: 4,
  ranking: 12,
  flow_model: 12,
  user_model: 12,
};

/** Cards of one number: they share rows with each other only, which keeps them low. */
const single: ReadonlySet<CardId> = new Set(['income', 'online', 'auth', 'intercept']);

export function beginsRow(shown: readonly CardId[], place: number): boolean {
  return place > 0 && single.has(shown[place]!) !== single.has(shown[place - 1]!);
}

type HomeSection = User['personalization']['home_section'];

const onTop: Readonly<Record<HomeSection, readonly CardId[]>> = {
  revenue: ['income', 'online', 'auth', 'intercept'],
  users: ['online', 'auth', 'income', 'intercept', 'trend', 'flow'],
  network: ['networks', 'aps', 'bands'],
  alarms: [],
};

export interface Layout {
  /** Null: order of `home_section`. */
  order: readonly CardId[] | null;
  hidden: readonly CardId[];
}

export const untouched: Layout = { order: null, hidden: [] };

/** A section without a source does not come first. */
export function usualOrder(first: HomeSection, absent: ReadonlySet<CardId> = new Set()): CardId[] {
  const top = onTop[first].some((id, place) => place === 0 && absent.has(id)) ? [] : onTop[first];
  return [...top, ...cardIds.filter((id) => !top.includes(id))];
}

/** A new card follows its default predecessor. */
export function orderOf(layout: Layout, first: HomeSection, absent?: ReadonlySet<CardId>): CardId[] {
  const usual = usualOrder(first, absent);
  if (!layout.order) return usual;
  const order = [...layout.order];
  for (const id of usual.filter((each) => !order.includes(each))) {
    order.splice(order.indexOf(usual[usual.indexOf(id) - 1] as CardId) + 1, 0, id);
  }
  return order;
}

export function moved(order: readonly CardId[], id: CardId, to: CardId): CardId[] {
  const place = order.indexOf(to);
  const rest = order.filter((each) => each !== id);
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

export function readLayout(kept: User['personalization']['home_layout']): Layout {
  return kept ? { order: kept.order && known(kept.order), hidden: known(kept.hidden) } : untouched;
}

const known = (ids: readonly string[]): CardId[] => cardIds.filter((id) => ids.includes(id)).toSorted(by(ids));
const by = (ids: readonly string[]) => (a: CardId, b: CardId) => ids.indexOf(a) - ids.indexOf(b);
