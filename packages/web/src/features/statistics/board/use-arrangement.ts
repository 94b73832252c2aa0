import { useState } from 'react';
import { useUser } from '../../../app/shell/current.ts';
import { type CardId, type Layout, orderOf, readLayout, untouched } from './layout.ts';

/** The person's order of the cards, those that are hidden, and how to change both; kept in this browser. */
export interface Arrangement {
  order: readonly CardId[];
  hidden: readonly CardId[];
  reorder: (order: readonly CardId[]) => void;
  hide: (id: CardId) => void;
  show: (id: CardId) => void;
  /** Back to what `home_section` gives. */
  reset: () => void;
}

/** The arrangement of the signed-in person. */
export function useArrangement(): Arrangement {
  const { id: person, personalization } = useUser();
  const key = `yunxun.home.${person}`;
  const [layout, setLayout] = useState<Layout>(() => readLayout(localStorage.getItem(key)));
  const change = (next: Layout) => {
    setLayout(next);
    if (next === untouched) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(next));
  };
  return {
    order: orderOf(layout, personalization.home_section),
    hidden: layout.hidden,
    reorder: (order) => change({ ...layout, order }),
    hide: (id) => change({ ...layout, hidden: [...layout.hidden, id] }),
    show: (id) => change({ ...layout, hidden: layout.hidden.filter((each) => each !== id) }),
    reset: () => change(untouched),
  };
}
