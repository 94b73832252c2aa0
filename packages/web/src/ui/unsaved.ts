import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../app/i18n.ts';
import { guardLeaving } from '../app/leaving.ts';
import { ask } from './dialog-host.tsx';

interface Kept {
  page: string;
  basis: unknown;
  draft: unknown;
}

/** Unsaved drafts by page and name: they survive a tab change within the page. */
const kept = new Map<string, Kept>();
/** Unsaved forms in dialogs and drawers, lost when those close. */
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
  for (const key of kept.keys()) keep(key, null);
}

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

/** Asks before navigation; the browser before leaving. */
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
      // already confirmed: prevents the browser's own question
      if (may) forgetAll();
      return may;
    });
    router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (pathChanged) forgetAll();
    });
  }, [router]);
}

/**
 * Guards against losing changes.
 * @returns function that closes after a confirmation
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

/** Returns a kept draft's base, else the newest. */
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
 * Keeps a draft across tabs, and guards the page.
 * @param basis settings from `useHeld`
 * @param begin returns the first draft, given a kept one
 * @returns draft, setter, whether changed, and a function for after saving
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
