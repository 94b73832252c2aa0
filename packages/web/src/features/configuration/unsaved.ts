import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { guardLeaving } from '../../app/leaving.ts';
import { ask } from '../../ui/dialog-host.tsx';

interface Kept {
  /** The page that it belongs to. */
  page: string;
  /** What it was begun from: a draft of an older version is none of the newer one. */
  basis: unknown;
  draft: unknown;
}

/** Drafts with changes, by page and name: they outlive the tab of the page in which they were made, not the page. */
const kept = new Map<string, Kept>();
/** Forms with changes that go with what they stand in: a dialog, a drawer. */
const open = new Set<object>();

const thisPage = () => location.pathname;

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
    guardLeaving(async () => !wouldLose(thisPage(), null) || (await mayLeave()));
    router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (pathChanged) kept.clear();
    });
  }, [router]);
}

/** A form in a dialog or drawer with changes that nobody has saved: leaving it by the address is asked about. */
export function useUnsaved(dirty: boolean): void {
  useGuard();
  useEffect(() => {
    if (!dirty) return;
    const form = {};
    open.add(form);
    return () => void open.delete(form);
  }, [dirty]);
}

/**
 * A draft that is there again when the person comes back to its tab, and that leaving the page asks about.
 * @param basis the version it changes
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
  const key = `${page} ${name}`;
  const [draft, setDraft] = useState<D>(() => {
    const found = kept.get(key);
    return options.begin(found?.basis === basis ? (found?.draft as D) : undefined);
  });
  const changed = options.isChanged(draft);
  const saved = useRef<D | null>(null);
  useEffect(() => {
    if (changed && saved.current !== draft) kept.set(key, { page, basis, draft });
    else kept.delete(key);
  }, [key, page, basis, draft, changed]);
  const forget = () => {
    saved.current = draft;
    kept.delete(key);
  };
  return { draft, setDraft, changed, forget };
}
