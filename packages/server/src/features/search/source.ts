import type { search as contract, DataOf, Locale, Permission } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import type { FoundEntry, SearchWord } from '../../platform/search/index.ts';

export type Hit = DataOf<typeof contract.query>['list'][number];

export type EntryKind = 'network' | 'device' | 'client' | 'client_remark' | 'ssid';

export interface SearchRequest {
  tx: Tx;
  accountId: string;
  /** Null: all. */
  gwids: readonly string[] | null;
  word: SearchWord;
  /** Most exact first. */
  entries: Readonly<Record<EntryKind, readonly FoundEntry[]>>;
  /** Per kind; a source returns at least so many of its best. */
  limit: number;
  now: Date;
  locale: Locale;
  /** Of the log; their localized text matches the word. */
  logActions: readonly string[];
}

export interface SearchSource {
  permission: Permission;
  find(request: SearchRequest): Promise<Hit[]>;
}
