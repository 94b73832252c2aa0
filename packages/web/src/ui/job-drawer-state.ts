import { useSyncExternalStore } from 'react';

/** What the job drawer shows: closed, the list, or one job. */
export type JobDrawerState = { open: false } | { open: true; job: string | null };

let state: JobDrawerState = { open: false };
const listeners = new Set<() => void>();

function become(next: JobDrawerState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Opens the drawer on one job, or on the list of the latest (null). */
export function openJobs(job: string | null): void {
  become({ open: true, job });
}

/** Closes the drawer; the jobs go on. */
export function closeJobs(): void {
  become({ open: false });
}

/** What the drawer shows now. */
export function useJobDrawer(): JobDrawerState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
