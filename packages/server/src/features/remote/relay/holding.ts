import type { RemoteEndReason, RemoteKind } from '@yunxun/contract';
import type { DeviceLink } from './device-link.ts';

/** Proof of the person who looks at the session, checked again while it is open. */
export interface Grant {
  /** SHA-256 of the bearer, hexadecimal. */
  tokenHash: string;
  account: string | null;
  /** Account of the person. */
  homeAccountId: string;
  ip: string;
}

export interface Held {
  accountId: string;
  id: string;
  gwid: string;
  userId: string;
  kind: RemoteKind;
  link: DeviceLink;
  ended(session: Holding, reason: RemoteEndReason, detail: string | null): void;
}

/** An open session, in the process that has the connection of its device. */
export interface Holding {
  readonly held: Held;
  /** Null until a page has joined. */
  readonly grant: Grant | null;
  readonly bytesUp: number;
  readonly bytesDown: number;
  end(reason: RemoteEndReason, detail?: string | null): void;
}

/** `id`: of a person or account. */
export function dependsOn({ held: { userId, accountId }, grant }: Holding, id: string): boolean {
  return [userId, accountId, grant?.homeAccountId].includes(id);
}
