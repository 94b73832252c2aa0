import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiPath } from './api.ts';
import { onFact } from './live.ts';

/** Milliseconds: facts are frequent, counting is expensive. */
const waitMs = 2000;

export function useFollowJobs(path: ApiPath): void {
  const client = useQueryClient();
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onFact((fact) => {
      if (soon !== undefined || fact.type !== 'job') return;
      soon = setTimeout(() => {
        soon = undefined;
        void client.invalidateQueries({ queryKey: [path] });
      }, waitMs);
    });
    return () => {
      clearTimeout(soon);
      stop();
    };
  }, [client, path]);
}
