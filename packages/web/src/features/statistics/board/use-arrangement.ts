import { useState } from 'react';
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
  // the page's own, so that two steps of a card in quick succession are two
  const [kept, setKept] = useState<Kept>(personalization.home_layout);
  const layout = readLayout(kept);
  const change = (next: Layout | null) => {
    const whole = next && { order: next.order && [...next.order], hidden: [...next.hidden] };
    setKept(whole);
    void save(whole, () => setKept((now) => (now === whole ? kept : now)));
  };
  return {
    order: orderOf(layout, personalization.home_section),
    hidden: layout.hidden,
    reorder: (order) => change({ ...layout, order }),
    hide: (id) => change({ ...layout, hidden: [...layout.hidden, id] }),
    show: (id) => change({ ...layout, hidden: layout.hidden.filter((each) => each !== id) }),
    reset: () => change(null),
  };
}

/** Saves what is in force already; `refused` takes it back, unless the person has gone on since. */
async function save(next: Kept, refused: () => void): Promise<void> {
  const mine = saving.then(() => call('/api/v3/personalization/save', { home_layout: next }));
  saving = mine.catch(() => undefined);
  try {
    await mine;
    queryClient.setQueryData<User>(
      userKey,
      (user) => user && { ...user, personalization: { ...user.personalization, home_layout: next } },
    );
  } catch (error) {
    refused();
    notifyError(error);
  }
}
