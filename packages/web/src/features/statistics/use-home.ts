import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import type { ApiPath, Input } from '../../app/api.ts';
import { onFact } from '../../app/live.ts';
import { useRead } from '../../app/use-call.ts';

const REFRESH_MS = 30_000;
/** What moves by the hour is read again this often: it is a month's work for the database. */
export const SELDOM_MS = 300_000;
/** A storm of facts makes the sums old at most this often. */
const LEAST_MS = 5000;
const FIRST_MS = 400;
/** What a device that comes, goes or changes makes old, beside what facts.ts reads again. */
const touched: ReadonlySet<unknown> = new Set<ApiPath>(['/api/v3/user_stat/complex', '/api/v3/user_stat/ap_complex']);

/** Whether the person has stopped the page from changing by itself. */
export const Paused = createContext(false);

/** Reads an answer of the home page: again every 30 s and when facts make it old, unless the page is paused. What the person may not read is not asked. */
export function useHome<P extends ApiPath>(
  path: P,
  input: Input<P>,
  { allowed = true, refreshMs = REFRESH_MS }: { allowed?: boolean; refreshMs?: number } = {},
) {
  const paused = useContext(Paused);
  const client = useQueryClient();
  const first = client.getQueryData([path, input]) === undefined;
  return useRead(path, input, {
    enabled: allowed && (!paused || first),
    refetchMs: paused ? false : refreshMs,
    keepPrevious: true,
  });
}

/** Reads the sums again soon after a device came, went or changed. */
export function useFactsOfHome(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let next = 0;
    const stop = onFact((fact) => {
      if (timer !== undefined || !/^(device|network)\./.test(fact.type)) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          next = Date.now() + LEAST_MS;
          void client.invalidateQueries({ predicate: (query) => touched.has(query.queryKey[0]) });
        },
        Math.max(FIRST_MS, next - Date.now()),
      );
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);
}

/** Whether an answer is one of the home page's. */
export function isOfHome(path: unknown): boolean {
  return /^\/api\/v3\/(user_stat|overview|job)\//.test(String(path));
}
