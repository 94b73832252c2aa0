import { useState } from 'react';
import type { Column } from './columns.ts';

/** Stored per table in this browser. */
export interface ShownColumns<Row> {
  all: readonly Column<Row>[];
  visible: readonly Column<Row>[];
  isShown: (key: string) => boolean;
  toggle: (key: string) => void;
  reset: () => void;
  showAll: () => void;
}

export function useColumns<Row>(name: string, all: readonly Column<Row>[]): ShownColumns<Row> {
  const key = `yunxun.columns.${name}`;
  const defaults = () => new Set(all.filter((column) => !column.extra).map((column) => column.key));
  const [shown, setShown] = useState<ReadonlySet<string>>(() => {
    const kept = localStorage.getItem(key)?.split(',') ?? [];
    const known = kept.filter((each) => all.some((column) => column.key === each));
    return known.length > 0 ? new Set(known) : defaults();
  });
  const keep = (next: ReadonlySet<string>) => {
    if (next.size === 0) return;
    localStorage.setItem(key, [...next].join(','));
    setShown(next);
  };
  return {
    all,
    visible: all.filter((column) => shown.has(column.key)),
    isShown: (each) => shown.has(each),
    toggle: (each) => {
      const next = new Set(shown);
      if (!next.delete(each)) next.add(each);
      keep(next);
    },
    reset: () => {
      localStorage.removeItem(key);
      setShown(defaults());
    },
    showAll: () => keep(new Set(all.map((column) => column.key))),
  };
}
