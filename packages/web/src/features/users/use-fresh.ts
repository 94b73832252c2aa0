import { useEffect } from 'react';
import { changesClients } from '../../app/facts.ts';
import { onFact } from '../../app/live.ts';
import { rateLimited } from '../../app/rate-limited.ts';
import { again } from './actions.ts';

/** Poll interval in milliseconds; devices report about once a minute. */
const refreshMs = 15_000;

/** Every 15 s and on facts, once a second at most; never hidden. */
export function useFreshUsers(paused: boolean, gwid: string | undefined): void {
  useEffect(() => {
    if (paused) return;
    const look = async () => {
      if (!document.hidden) await again();
    };
    const every = setInterval(() => void look(), refreshMs);
    const soon = rateLimited(look);
    const stop = onFact((fact) => {
      if (changesClients(fact, gwid)) soon();
    });
    return () => {
      clearInterval(every);
      soon.stop();
      stop();
    };
  }, [paused, gwid]);
}
