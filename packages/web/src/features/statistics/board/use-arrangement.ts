import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { queryClient, userKey } from '../../../app/session.ts';
import { useUser } from '../../../app/shell/current.ts';
import type { User } from '../../../app/user.ts';
import { notifyError } from '../../../ui/toast.tsx';
import { type CardId, type Layout, orderOf, readLayout } from './layout.ts';

export interface Arrangement {
  order: readonly CardId[];
  hidden: readonly CardId[];
  reorder: (order: readonly CardId[]) => void;
  hide: (id: CardId) => void;
  show: (id: CardId) => void;
  reset: () => void;
}

type Kept = User['personalization']['home_layout'];

/** Saves in sequence, so that the last change wins. */
let saving: Promise<unknown> = Promise.resolve();

/** @param absent cards without a source */
export function useArrangement(absent: ReadonlySet<CardId>): Arrangement {
  const { personalization } = useUser();
  // local state, so that two quick steps accumulate
  const [kept, setKept] = useState<Kept>(personalization.home_layout);
  const layout = readLayout(kept);
  const change = (next: Layout | null) => {
    const whole = next && { order: next.order && [...next.order], hidden: [...next.hidden] };
    setKept(whole);
    void save(whole, () => setKept((now) => (now === whole ? kept : now)));
  };
  return {
    order: orderOf(layout, personalization.home_section, absent),
    hidden: layout.hidden,
    reorder: (order) => change({ ...layout, order }),
    hide: (id) => change({ ...layout, hidden: [...layout.hidden, id] }),
    show: (id) => change({ ...layout, hidden: layout.hidden.filter((each) => each !== id) }),
    reset: () => change(null),
  };
}

/** `refused` reverts unless changed since. */
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
