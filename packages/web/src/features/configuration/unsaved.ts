import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../app/i18n.ts';
import { guardLeaving } from '../../app/leaving.ts';
import { ask } from '../../ui/dialog-host.tsx';

interface Kept {
  /** The page that it belongs to. */
  page: string;
  /** What it was begun from, as it was read: what others save meanwhile does not change it. */
  basis: unknown;
  draft: unknown;
}

/** Drafts with changes, by page and name: they outlive the tab of the page in which they were made, not the page. */
const kept = new Map<string, Kept>();
/** Forms with changes that go with what they stand in: a dialog, a drawer. */
const open = new Set<object>();

const listeners = new Set<() => void>();

const thisPage = () => location.pathname;
const keyOf = (page: string, name: string) => `${page} ${name}`;

function keep(key: string, draft: Kept | null): void {
  if (draft) kept.set(key, draft);
  else kept.delete(key);
  for (const listener of listeners) listener();
}

function forgetAll(): void {
  open.clear();
  for (const key of [...kept.keys()]) keep(key, null);
}

/** Whether going from one page to another would lose something; from a page to itself, only its tab changes. */
function wouldLose(from: string, to: string | null): boolean {
  return open.size > 0 || (from !== to && [...kept.values()].some(({ page }) => page === from));
}

const mayLeave = () =>
  new Promise<boolean>((answer) => {
    ask({
      title: t('leave.title'),
      body: t('leave.body'),
      confirm: t('leave.leave'),
      danger: true,
      act: async () => answer(true),
      cancel: { label: t('leave.stay'), act: () => answer(false) },
    });
  });

type Place = { pathname: string };
const guarded = new WeakSet<RouterHistory>();

/** Asks before the router leaves a page whose changes nobody has saved; the browser asks before it leaves the console. */
function useGuard(): void {
  const router = useRouter();
  useEffect(() => {
    const { history } = router;
    if (guarded.has(history)) return;
    guarded.add(history);
    history.block({
      blockerFn: async ({ currentLocation: from, nextLocation: to }: { currentLocation: Place; nextLocation: Place }) =>
        wouldLose(from.pathname, to.pathname) && !(await mayLeave()),
      enableBeforeUnload: () => wouldLose(thisPage(), null),
    });
    guardLeaving(async () => {
      if (!wouldLose(thisPage(), null)) return true;
      const may = await mayLeave();
      // asked once: the browser has nothing left to ask about
      if (may) forgetAll();
      return may;
    });
    router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (pathChanged) forgetAll();
    });
  }, [router]);
}

/**
 * A form in a dialog or drawer with changes that nobody has saved: leaving it by the address is asked about.
 * @returns what closes it, and asks before that when something would be lost
 */
export function useUnsaved(dirty: boolean, close: () => void): () => void {
  useGuard();
  useEffect(() => {
    if (!dirty) return;
    const form = {};
    open.add(form);
    return () => void open.delete(form);
  }, [dirty]);
  return async () => {
    if (!dirty || (await mayLeave())) close();
  };
}

/** Settings as an editor shows them: the newest or, while there is a draft of older ones, those that it changes. */
export function useHeld<S>(name: string, newest: S | undefined): S | undefined {
  const [key] = useState(() => keyOf(thisPage(), name));
  const held = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => kept.get(key)?.basis as S | undefined,
  );
  return held ?? newest;
}

/**
 * A draft that is there again when the person comes back to its tab, and that leaving the page asks about.
 * @param basis the settings it changes, as `useHeld` gives them
 * @param begin the draft to begin with; it is given the one that was kept
 * @returns the draft, what changes it, whether it was changed, and what says that it was saved
 */
export function useDraft<D>(options: {
  name: string;
  basis: unknown;
  begin: (kept: D | undefined) => D;
  isChanged: (draft: D) => boolean;
}) {
  useGuard();
  const { name, basis } = options;
  const [page] = useState(thisPage);
  const key = keyOf(page, name);
  const [draft, setDraft] = useState<D>(() => {
    const found = kept.get(key);
    return options.begin(found?.basis === basis ? (found?.draft as D) : undefined);
  });
  const changed = options.isChanged(draft);
  const saved = useRef<D | null>(null);
  useEffect(() => {
    keep(key, changed && saved.current !== draft ? { page, basis, draft } : null);
  }, [key, page, basis, draft, changed]);
  const forget = () => {
    saved.current = draft;
    keep(key, null);
  };
  return { draft, setDraft, changed, forget };
}
