import type { EdgeShield } from '@yunxun/contract/device';
import type { DocumentErrors } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ShapedSection } from './shape.ts';

type Shaped = ShapedSection['shield'];

export function readShield(shaped: Shaped, facts: Facts, errors: DocumentErrors): EdgeShield | null {
  if (shaped === undefined) return null;
  if (!facts.abilities.dnsmasq) {
    errors.error('/third-party/yunxun/shield', 'needs dnsmasq, which this gateway lacks');
    return null;
  }
  const { mode = 'monitor', lists = [], allow = [], redirect = false } = shaped;
  return {
    mode,
    lists: lists.map(({ category = 'own', sha256 = '', path = '' }) => ({ category, sha256, path })),
    allow: [...new Set(allow)].toSorted(),
    redirect,
  };
}
