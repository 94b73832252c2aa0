import { isVlan, listed } from '../switches/index.ts';
import type { General } from './general-settings.ts';

type PortRule = NonNullable<General['ports']>[number];

export type Trunk = 'network' | 'none' | 'some';

export interface RuleDraft {
  ref: string;
  ports: string;
  enabled: boolean;
  poe: boolean;
  vlan: string;
  trunk: Trunk;
  tagged: string;
}

let made = 0;

export const newRule = (): RuleDraft => ({
  // crypto.randomUUID does not exist on plain HTTP
  ref: `new ${++made}`,
  ports: '',
  enabled: true,
  poe: true,
  vlan: '1',
  trunk: 'network',
  tagged: '',
});

export function rulesOf(saved: General['ports']): RuleDraft[] {
  return (saved ?? []).map(({ ports, enabled, poe, vlan, tagged }, index) => ({
    ref: String(index),
    ports,
    enabled,
    poe,
    vlan: String(vlan),
    trunk: tagged === null ? 'network' : tagged.length === 0 ? 'none' : 'some',
    tagged: (tagged ?? []).join(', '),
  }));
}

export function isTaggedRight({ trunk, tagged, vlan }: Pick<RuleDraft, 'trunk' | 'tagged' | 'vlan'>): boolean {
  const ids = listed(tagged);
  return trunk !== 'some' || (ids.length > 0 && ids.every(isVlan) && !ids.includes(vlan));
}

/** An invalid number becomes one that the server rejects. */
export function ruleOf({ ports, enabled, poe, vlan, trunk, tagged }: RuleDraft): PortRule {
  const id = (text: string) => (isVlan(text) ? Number(text) : 0);
  return {
    ports: typedRange(ports),
    enabled,
    poe,
    vlan: id(vlan),
    tagged: trunk === 'network' ? null : trunk === 'none' ? [] : [...new Set(listed(tagged).map(id))],
  };
}

export function typedRange(text: string): string {
  return text.replaceAll(/[，、]/g, ',').replaceAll(/\s+/g, '');
}
