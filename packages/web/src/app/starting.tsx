import { useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { t } from './i18n.ts';
import type { makeRouter } from './router.tsx';

/** Delay in milliseconds, so that a fast answer does not flash an indicator. */
const TIMEOUT_MS = 150;

export function Starting({ router }: { router: ReturnType<typeof makeRouter> }) {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(true), TIMEOUT_MS);
    const stop = router.subscribe('onResolved', () => {
      clearTimeout(timer);
      setWaiting(false);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [router]);
  if (!waiting) return null;
  return (
    <div className="starting" role="status" aria-label={t('app.starting')}>
      <Icon name="spinner" size={32} spin />
    </div>
  );
}
