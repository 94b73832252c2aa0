import type { ShieldListError, ShieldMode } from '@yunxun/contract';
import type { EdgeShield, ShieldCategory } from '@yunxun/contract/device';
import { type ColumnType, type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface PolicyTable {
  account_id: string;
  gwid: string;
  mode: ShieldMode;
  categories: ShieldCategory[];
  redirect: boolean;
  saved_at: Date;
  document: ColumnType<EdgeShield | null, string | null, string | null>;
}
export type PolicyRow = Selectable<PolicyTable>;

export interface AllowTable {
  account_id: string;
  id: string;
  name: string;
  link: string;
  domain: string;
  created_at: Date;
}

interface OwnTable {
  account_id: string;
  token: string;
  contents: string;
  sha256: string;
  domains: number;
  saved_at: Date;
}

export interface ListTable {
  id: string;
  name: string;
  category: ShieldCategory;
  url: string;
  token: string;
  contents: string | null;
  sha256: string | null;
  domains: number;
  created_at: Date;
  fetched_at: Date | null;
  checked_at: Date | null;
  error: ShieldListError | null;
}
export type ListMeta = Omit<Selectable<ListTable>, 'contents'>;

interface ShieldTables {
  shield_policy: PolicyTable;
  shield_allow: AllowTable;
  shield_own: OwnTable;
  shield_list: ListTable;
  shield_count: {
    account_id: string;
    gwid: string;
    at: Date;
    domain: string;
    mac: string;
    category: ShieldCategory;
    blocked: boolean;
    queries: number;
  };
  shield_taken: {
    account_id: string;
    gwid: string;
    serial: string;
    /** Empty: none yet. */
    batch: string;
    since: Generated<Date>;
  };
}

export function shieldTables(tx: Tx | Kysely<unknown>): Kysely<ShieldTables> {
  return tables<ShieldTables>(tx);
}

/** Serialises changes until the transaction ends. */
export async function lockShield(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shield ${accountId}`}, 0))`.execute(tx);
}

/** Requires the system role. */
export function readLists(tx: Tx | Kysely<unknown>): Promise<ListMeta[]> {
  return shieldTables(tx)
    .selectFrom('shield_list')
    .select(['id', 'name', 'category', 'url', 'token', 'sha256', 'domains'])
    .select(['created_at', 'fetched_at', 'checked_at', 'error'])
    .orderBy('name')
    .execute();
}
