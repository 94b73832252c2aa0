import { useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { t } from './i18n.ts';
import type { makeRouter } from './router.tsx';

/** A quick answer shows no sign of waiting, which would only flicker. */
const PATIENCE_MS = 150;

/** Until the first screen is there (the person is asked for, its code is loaded): a sign that the console is starting. */
export function Starting({ router }: { router: ReturnType<typeof makeRouter> }) {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(true), PATIENCE_MS);
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
