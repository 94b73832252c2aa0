import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/index.ts';
import type { Log } from '../log.ts';
import type { Identity } from './call.ts';

export type ObjectResolver = (tx: Tx, ids: readonly string[]) => Promise<ReadonlySet<string>>;

export interface Claim {
  /** Header `account`; null: the person's own. */
  account: string | null;
  /** Header `view-as`: `member:<id>` or `grant:<id>`. */
  viewAs: string | null;
  ip: string;
  /** False: background, does not extend the session. */
  active: boolean;
}

export interface HttpOptions {
  database: Database;
  clock: Clock;
  log: Log;
  tls: { certFile: string; keyFile: string } | null;
  authenticate(tokenHash: Buffer, claim: Claim): Promise<Identity | null>;
  objects: Readonly<Record<string, ObjectResolver>>;
  limitFactor: number;
  trustedProxies: readonly string[];
  isFull(): boolean;
  arriveWithin?: number;
}
