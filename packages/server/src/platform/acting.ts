import type { Actor } from '@yunxun/contract';

/** Where a change came from. */
export type Source = 'web' | 'api' | 'device' | 'system';

/** Who acts, for the operation log and for scope. `actor` is null when the program or a device acts by itself. */
export interface Acting {
  accountId: string;
  userId: string | null;
  actor: Actor | null;
  source: Source;
  ip: string | null;
  /** The logged operation that this call takes back. */
  undoes?: { accountId: string; seq: number };
}

/** The program acting by itself in an account. */
export function bySystem(accountId: string): Acting {
  return { accountId, userId: null, actor: null, source: 'system', ip: null };
}
