import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiPath } from './api.ts';
import { onFact } from './live.ts';

/** Milliseconds: a job that goes on says so many times a second, and an answer that counts its devices is not cheap. */
const waitMs = 2000;

/** Reads an answer again when a job has moved, at most every two seconds. */
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
