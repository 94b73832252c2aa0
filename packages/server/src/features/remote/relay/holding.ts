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

export interface FileEntry {
  way: 'read' | 'write';
  path: string;
  bytes: number;
}

/** Resolves once the row is written. @throws FileRefused for a person who may no longer */
export type FileLog = (grant: Grant, entry: FileEntry) => Promise<void>;

export interface Maker {
  account_id: string;
  gwid: string;
  user_id: string;
  user_account_id: string;
}

export interface Held {
  accountId: string;
  id: string;
  gwid: string;
  userId: string;
  kind: RemoteKind;
  /** Of the link by which a guest opened it. */
  maker: Maker | null;
  link: DeviceLink;
  logFile: FileLog;
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
export function dependsOn({ held: { userId, accountId, maker }, grant }: Holding, id: string): boolean {
  return [userId, accountId, grant?.homeAccountId, maker?.user_account_id].includes(id);
}
