import type { User } from '../../../app/session.ts';

/** The cards of the home page, in the order of the page when problems come first. */
export const cardIds = [
  'attention',
  'alarms',
  'income',
  'online',
  'auth',
  'intercept',
  'networks',
  'aps',
  'bands',
  'trend',
  'flow',
  'wireless',
  'jobs',
  'flow_model',
  'user_model',
] as const;
export type CardId = (typeof cardIds)[number];

/** Twelfths of a row that each card asks for; what is left of a row is shared by its cards. */
export const spans: Readonly<Record<CardId, number>> = {
  attention: 8,
  alarms: 4,
  income: 3,
  online: 3,
  auth: 3,
  intercept: 3,
  networks: 4,
  aps: 4,
  bands: 4,
  trend: 8,
  flow: 4,
  wireless: 8,
  jobs: 4,
  flow_model: 12,
  user_model: 12,
};

type HomeSection = User['personalization']['home_section'];

/** What stands on top for each choice of the person; the rest follows in its usual order. */
const onTop: Readonly<Record<HomeSection, readonly CardId[]>> = {
  revenue: ['income', 'online', 'auth', 'intercept'],
  users: ['online', 'auth', 'income', 'intercept', 'trend', 'flow'],
  network: ['networks', 'aps', 'bands'],
  alarms: [],
};

/** What a person made of the page. */
export interface Layout {
  /** Null: as `home_section` says. */
  order: readonly CardId[] | null;
  hidden: readonly CardId[];
}

export const untouched: Layout = { order: null, hidden: [] };

/** All cards in the order that a choice of `home_section` gives. */
export function usualOrder(first: HomeSection): CardId[] {
  const top = onTop[first];
  return [...top, ...cardIds.filter((id) => !top.includes(id))];
}

/** The order in force. A card that the person's order does not know stands behind the one that it usually follows. */
export function orderOf(layout: Layout, first: HomeSection): CardId[] {
  const usual = usualOrder(first);
  if (!layout.order) return usual;
  const order = [...layout.order];
  for (const id of usual.filter((each) => !order.includes(each))) {
    order.splice(order.indexOf(usual[usual.indexOf(id) - 1] as CardId) + 1, 0, id);
  }
  return order;
}

/** An order with one card moved to where another stands. */
export function moved(order: readonly CardId[], id: CardId, to: CardId): CardId[] {
  const place = order.indexOf(to);
  const rest = order.filter((each) => each !== id);
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

/** Reads what was kept; a card that is gone is left out. */
export function readLayout(kept: User['personalization']['home_layout']): Layout {
  return kept ? { order: kept.order && known(kept.order), hidden: known(kept.hidden) } : untouched;
}

const known = (ids: readonly string[]): CardId[] => cardIds.filter((id) => ids.includes(id)).toSorted(by(ids));
const by = (ids: readonly string[]) => (a: CardId, b: CardId) => ids.indexOf(a) - ids.indexOf(b);
