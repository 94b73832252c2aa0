import { type Actor, networksOf, type Permission } from '@yunxun/contract';
import { Failure } from './failure.ts';

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

export interface PersonKey {
  accountId: string;
  personId: string;
}

/** @throws Failure noPermission for a scope of some networks */
export function requireWholeAccount({ actor }: Acting, permission: Permission = 'account.write'): void {
  if (actor && networksOf(actor)) throw new Failure('noPermission', { data: { permission, reason: 'networks' } });
}
