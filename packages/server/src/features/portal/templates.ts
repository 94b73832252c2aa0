import type { PortalContent } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';

export interface PortalTemplates {
  contentOf(
    tx: Tx,
    templateId: string,
    gwid: string,
  ): Promise<{ version: number; name: string; content: PortalContent } | null>;
  /** Returns what published templates say of opening hours, by id. */
  opening(
    tx: Tx,
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<PortalContent, 'hours' | 'away'>>>;
  picture(tx: Tx, id: string): Promise<{ mime: string; bytes: Buffer } | null>;
  /** Lists by name. */
  published(tx: Tx, accountId: string): Promise<{ id: string; name: string; version: number }[]>;
}
