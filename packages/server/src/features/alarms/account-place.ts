import type { AlarmKind } from '@yunxun/contract';
import { kindParts } from '@yunxun/contract/alarm-kinds';

/**
 * Alarms of the account have no network. The evaluation, where everything has a place, gives them the account's id
 * instead.
 */
export function placeIn(accountId: string, gwid: string | null): string {
  return gwid ?? accountId;
}

/** Returns null for the place of the account. */
export function networkAt(accountId: string, place: string): string | null {
  return place === accountId ? null : place;
}

export function isOfAccount(kind: AlarmKind): boolean {
  const { about } = kindParts[kind];
  return about === 'account' || about === 'console';
}
