import type { Tx } from '../../platform/database/index.ts';
import { templatesOf } from './template-store.ts';

export async function portalTemplateNames(tx: Tx, accountId: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await templatesOf(tx, accountId)).map(({ id, name }) => [id, name]));
}
