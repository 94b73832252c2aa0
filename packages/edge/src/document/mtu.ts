import { edgeLimits } from '@yunxun/contract/device';
import type { Network, Port, Uplink } from './document.ts';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';

/** Checks against the hardware, and VLANs against their parent: the kernel allows none above it. */
export function checkMtus(
  uplinks: readonly Uplink[],
  networks: readonly Network[],
  facts: Facts,
  errors: DocumentErrors,
): void {
  const all = [...uplinks.map((uplink) => ({ ...uplink, ports: [uplink.port] })), ...networks];
  const untagged = new Map<string, { name: string; mtu: number }>();
  for (const { ports, name, mtu } of all)
    for (const port of ports)
      if (!port.tagged) untagged.set(port.device, { name, mtu: mtu ?? edgeLimits.mtu.otherwise });
  for (const { index, mtu, ports } of all) {
    if (mtu === null) continue;
    const path = `/interfaces/${index}/mtu`;
    for (const port of ports) {
      checkHardware(mtu, port, path, facts, errors);
      const below = port.tagged ? untagged.get(port.device) : undefined;
      if (below && mtu > below.mtu)
        errors.error(path, `must be at most ${below.mtu}, which ${quote(below.name)} has on ${port.name} untagged`);
    }
  }
}

function checkHardware(mtu: number, port: Port, path: string, { mtus }: Facts, errors: DocumentErrors): void {
  const range = mtus?.[port.name];
  if (range && (mtu < range.min || mtu > range.max))
    errors.error(path, `must be from ${range.min} to ${range.max} on ${port.name}, not ${mtu}`);
}
