import type { Actor } from '@yunxun/contract';

export type Source = 'web' | 'api' | 'device' | 'system';

/** Actor of a change. `actor` is null for the program and for devices. */
export interface Acting {
  accountId: string;
  userId: string | null;
  actor: Actor | null;
  source: Source;
  ip: string | null;
  undoes?: { accountId: string; seq: number };
}

export function bySystem(accountId: string): Acting {
  return { accountId, userId: null, actor: null, source: 'system', ip: null };
}
