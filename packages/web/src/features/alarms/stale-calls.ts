import type { ApiPath } from '../../app/api.ts';

export const stale = [
  '/api/v3/alarm/list',
  '/api/v3/alarm/detail',
  '/api/v3/alarm/stat',
] as const satisfies readonly ApiPath[];
