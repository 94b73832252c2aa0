import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import type { ApiPath, Input } from '../../app/api.ts';
import { onFact } from '../../app/live.ts';
import { rateLimited } from '../../app/rate-limited.ts';
import { useRead } from '../../app/use-call.ts';

const REFRESH_MS = 30_000;
/** Poll interval in milliseconds of hourly data, whose query scans a month. */
export const SELDOM_MS = 300_000;
/** Minimum time between fact-driven refetches, in milliseconds. */
const LEAST_MS = 5000;
const FIRST_MS = 400;
/** Beyond facts.ts; not the costly night and ranking. */
const touched: ReadonlySet<unknown> = new Set<ApiPath>([
  '/api/v3/user_stat/complex',
  '/api/v3/user_stat/ap_complex',
  '/api/v3/overview/strip',
  '/api/v3/overview/tiles',
  '/api/v3/overview/problems',
]);

/** Those of them that count clients. */
const withClients: ReadonlySet<unknown> = new Set<ApiPath>(['/api/v3/overview/strip', '/api/v3/user_stat/ap_complex']);

export const Paused = createContext(false);

/** Every 30 s and on facts, unless paused. Skipped without permission. */
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

/** Those of clients about once a second, and not in a hidden tab. */
export function useFactsOfHome(): void {
  const client = useQueryClient();
  useEffect(() => {
    const countClients = rateLimited(async () => {
      if (document.hidden) return;
      await client.invalidateQueries({ predicate: (query) => withClients.has(query.queryKey[0]) });
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let next = 0;
    const stop = onFact((fact) => {
      if (fact.type === 'clients') countClients();
      if (timer !== undefined || !/^(device|network|alarm)\b/.test(fact.type)) return;
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
      countClients.stop();
    };
  }, [client]);
}

export function isOfHome(path: unknown): boolean {
  return /^\/api\/v3\/(user_stat|overview|job)\//.test(String(path));
}
