import { lazy, Suspense } from 'react';
import { useJobDrawer } from './job-drawer-state.ts';

const JobDrawer = lazy(async () => ({ default: (await import('./job-drawer.tsx')).JobDrawer }));

/** Where the drawer appears; its code arrives when it is first opened. */
export function JobDrawerHost() {
  const drawer = useJobDrawer();
  if (!drawer.open) return null;
  return (
    <Suspense>
      <JobDrawer job={drawer.job} />
    </Suspense>
  );
}
