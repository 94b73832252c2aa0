import { edgeLimits } from '@yunxun/contract/device';
import type { Port } from '../document/document.ts';

export interface DeviceMtus {
  port(device: string): number | null;
  vlan(port: string, own: number | null): number | null;
}

const usual = edgeLimits.mtu.otherwise;

/** Sets port and VLANs together: a VLAN cannot exceed its port and inherits its MTU when created. */
export function deviceMtus(interfaces: readonly { ports: readonly Port[]; mtu: number | null }[]): DeviceMtus {
  const untagged = new Map<string, number | null>();
  const tagged = new Map<string, (number | null)[]>();
  for (const { ports, mtu } of interfaces)
    for (const { device, tagged: isTagged } of ports)
      if (isTagged) tagged.set(device, [...(tagged.get(device) ?? []), mtu]);
      else untagged.set(device, mtu);
  const port = (device: string): number | null => {
    const own = untagged.get(device) ?? null;
    const above = tagged.get(device) ?? [];
    if (own !== null || above.every((mtu) => mtu === null)) return own;
    return untagged.has(device) ? usual : Math.max(...above.map((mtu) => mtu ?? usual));
  };
  return {
    port,
    vlan(device, own) {
      const below = port(device);
      return own ?? (below === null ? null : Math.min(usual, below));
    },
  };
}
