import { type EdgeShield, edgeShieldLimits, edgeShieldModes, shieldCategories } from '@yunxun/contract/device';
import type { DocumentErrors } from './errors.ts';
import type { Facts } from './facts.ts';
import { flag, formed, list, object, oneOf, type Parts } from './reader.ts';

const closed = { unknown: 'refuse' } as const;
/** Lower case, at least two labels. */
export const domainForm = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Shape of `third-party.yunxun.shield`. */
export const shieldReader = object(
  {
    mode: oneOf(...edgeShieldModes),
    lists: list(
      object(
        {
          category: oneOf(...shieldCategories),
          sha256: formed(/^[0-9a-f]{64}$/, 'a SHA-256 sum'),
          path: formed(/^(\/[A-Za-z0-9_.-]{1,128}){1,8}$/, 'a path'),
        },
        { ...closed, needed: ['category', 'sha256', 'path'] },
      ),
      { max: edgeShieldLimits.lists },
    ),
    allow: list(formed(domainForm, 'a domain'), { max: edgeShieldLimits.allow }),
    redirect: flag,
  },
  { ...closed, needed: ['mode', 'lists', 'allow'] },
);

type Shaped = Parts<{ shield: typeof shieldReader }>['shield'];

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
