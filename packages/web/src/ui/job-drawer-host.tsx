import { lazy, Suspense } from 'react';
import { loadTexts } from '../app/i18n.ts';
import { useJobDrawer } from './job-drawer-state.ts';

const JobDrawer = lazy(async () => {
  const [module] = await Promise.all([import('./job-drawer.tsx'), loadTexts('jobDrawer')]);
  return { default: module.JobDrawer };
});

export function JobDrawerHost() {
  const drawer = useJobDrawer();
  if (!drawer.open) return null;
  return (
    <Suspense>
      <JobDrawer job={drawer.job} />
    </Suspense>
  );
}
