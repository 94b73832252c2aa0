import type { EdgeCaptive } from '@yunxun/contract/device';
import { readDocument } from '../../document/index.ts';
import { changed } from '../../document/testing/changes.ts';
import { fullFacts, type JsonObject } from '../../document/testing/documents.ts';
import { type Plan, render } from '../../render/index.ts';

export const facts = { ...fullFacts, abilities: { ...fullFacts.abilities, nftset: true } };
export const section: EdgeCaptive = {
  interfaces: ['LAN'],
  page: 'http://192.0.2.7:8090/p/abc/edge',
  secret: 's'.repeat(32),
  garden: ['192.0.2.80', 'shop.example.com'],
  exempt_macs: ['02:00:00:00:00:09'],
  exempt_addresses: ['192.168.1.20'],
};
export const written = (change: Partial<EdgeCaptive> = {}) => ({
  'third-party': { yunxun: { captive: { ...section, ...change } as unknown as JsonObject } },
});
export function planOf(change: Partial<EdgeCaptive> = {}): Plan {
  const read = readDocument(changed(written(change)), facts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, facts);
}
export const refusal = (change: Partial<EdgeCaptive>, own = facts) => {
  const read = readDocument(changed(written(change)), own);
  return 'refused' in read ? read.refused.join('\n') : null;
};
export const guest = '02:00:00:00:00:01';
