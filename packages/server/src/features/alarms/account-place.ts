import { type AlarmKind, alarms as contract } from '@yunxun/contract';

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

const accountKinds: readonly AlarmKind[] = contract.accountAlarmKinds;

export function isOfAccount(kind: AlarmKind): boolean {
  return accountKinds.includes(kind);
}
