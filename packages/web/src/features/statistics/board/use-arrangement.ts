import { call } from '../../../app/client.ts';
import { queryClient, type User, userKey } from '../../../app/session.ts';
import { useUser } from '../../../app/shell/current.ts';
import { notifyError } from '../../../ui/toast.tsx';
import { type CardId, type Layout, orderOf, readLayout } from './layout.ts';

/** The person's order of the cards, those that are hidden, and how to change both; kept with the person. */
export interface Arrangement {
  order: readonly CardId[];
  hidden: readonly CardId[];
  reorder: (order: readonly CardId[]) => void;
  hide: (id: CardId) => void;
  show: (id: CardId) => void;
  /** Back to what `home_section` gives. */
  reset: () => void;
}

type Kept = User['personalization']['home_layout'];

/** Saves are made one after the other: the last change is what stays. */
let saving: Promise<unknown> = Promise.resolve();

/** The arrangement of the signed-in person. */
export function useArrangement(): Arrangement {
  const { personalization } = useUser();
  const layout = readLayout(personalization.home_layout);
  const change = (next: Layout) => void save({ order: next.order && [...next.order], hidden: [...next.hidden] });
  return {
    order: orderOf(layout, personalization.home_section),
    hidden: layout.hidden,
    reorder: (order) => change({ ...layout, order }),
    hide: (id) => change({ ...layout, hidden: [...layout.hidden, id] }),
    show: (id) => change({ ...layout, hidden: layout.hidden.filter((each) => each !== id) }),
    reset: () => void save(null),
  };
}

/** In force at once; what could not be saved is taken back, unless the person has gone on since. */
async function save(next: Kept): Promise<void> {
  const before = put(next);
  const mine = saving.then(() => call('/api/v3/personalization/save', { home_layout: next }));
  saving = mine.catch(() => undefined);
  try {
    await mine;
  } catch (error) {
    if (current() === next) put(before);
    notifyError(error);
  }
}

const current = (): Kept => queryClient.getQueryData<User>(userKey)?.personalization.home_layout ?? null;

/** @returns what was in force instead */
function put(home_layout: Kept): Kept {
  const before = current();
  queryClient.setQueryData<User>(
    userKey,
    (user) => user && { ...user, personalization: { ...user.personalization, home_layout } },
  );
  return before;
}
