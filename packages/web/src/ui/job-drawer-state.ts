import { useSyncExternalStore } from 'react';

/** Closed, the list (null), or one job. */
export type JobDrawerState = { open: false } | { open: true; job: string | null };

let state: JobDrawerState = { open: false };
const listeners = new Set<() => void>();

function become(next: JobDrawerState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function openJobs(job: string | null): void {
  become({ open: true, job });
}

export function closeJobs(): void {
  become({ open: false });
}

export function useJobDrawer(): JobDrawerState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
