import { useEffect } from 'react';
import { onFact } from '../../app/live.ts';
import { again } from './acts.ts';

/** Reports come about once a minute from each device: looked at so often, a page is hardly ever older than one. */
const refreshMs = 15_000;

/** Reads terminals again every 15 s, and when a job moved or a device came or went; never in a hidden tab. */
export function useFreshUsers(paused: boolean): void {
  useEffect(() => {
    if (paused) return;
    const look = () => {
      if (!document.hidden) void again();
    };
    const every = setInterval(look, refreshMs);
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onFact((fact) => {
      if (soon !== undefined || (fact.type !== 'job' && fact.type !== 'device.status')) return;
      soon = setTimeout(() => {
        soon = undefined;
        look();
      }, 1000);
    });
    return () => {
      clearInterval(every);
      clearTimeout(soon);
      stop();
    };
  }, [paused]);
}
