import { useRef, useState } from 'react';

const maxSteps = 100;

/** Changes under one key in a row are one step. */
export function useHistory<T>(value: T, set: (value: T) => void) {
  const [past, setPast] = useState<readonly T[]>([]);
  const [future, setFuture] = useState<readonly T[]>([]);
  const last = useRef<string | null>(null);
  const go = (from: readonly T[], take: (rest: readonly T[]) => void, give: (value: T) => void) => {
    const found = from.at(-1);
    if (found === undefined) return;
    take(from.slice(0, -1));
    give(value);
    set(found);
    last.current = null;
  };
  return {
    change(next: T, key: string) {
      if (key !== last.current) setPast([...past.slice(1 - maxSteps), value]);
      last.current = key;
      setFuture([]);
      set(next);
    },
    undo: () => go(past, setPast, (now) => setFuture([...future, now])),
    redo: () => go(future, setFuture, (now) => setPast([...past, now])),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}
