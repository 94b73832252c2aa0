import type { PortalContent } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';

export interface PortalTemplates {
  /** Returns what guests of networks see, by network; leaves out templates that are not published. */
  contentsOf(
    tx: Tx,
    uses: readonly { templateId: string; gwid: string }[],
  ): Promise<ReadonlyMap<string, { version: number; name: string; content: PortalContent }>>;
  /** Returns what published templates say of opening hours, by id. */
  opening(
    tx: Tx,
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<PortalContent, 'hours' | 'away'>>>;
  picture(tx: Tx, id: string): Promise<{ mime: string; bytes: Buffer } | null>;
  published(tx: Tx, accountId: string): Promise<{ id: string; name: string; version: number }[]>;
}
