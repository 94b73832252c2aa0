import type { SdwanError } from '@yunxun/contract';
import { broadcastOf, networkText, overlap, readAddress, readSubnet, type Subnet, sizeOf } from '@yunxun/contract/ipv4';
import type { Plan } from './plan.ts';

/** Suggests equal-length prefixes for both sites of an overlap, from 10.128.0.0/9. */
export function suggestPrefixes(
  { nodes, consoles = [], elsewhere = [] }: Pick<Plan, 'nodes' | 'consoles' | 'elsewhere'>,
  errors: readonly SdwanError[],
): { key: string; prefix: string; as: string }[] {
  const used = [
    ...nodes.flatMap(({ lans, localLans = [], wanAddresses = [], nameServers = [], host, source }) => [
      ...lans.flatMap(({ prefix, as }) => [prefix, as]),
      ...localLans,
      ...wanAddresses,
      ...nameServers,
      host,
      source,
    ]),
    ...consoles,
    ...elsewhere.map(({ prefix }) => prefix),
  ].flatMap((text) => subnetOf(text) ?? []);
  const suggestions = new Map<string, { key: string; prefix: string; as: string }>();
  const suggest = (key: string | number | null | undefined, prefix: string | undefined) => {
    const subnet = readSubnet(prefix);
    if (typeof key !== 'string' || prefix === undefined || !subnet || suggestions.has(`${key} ${prefix}`)) return;
    const as = freeLike(subnet.prefix, used);
    if (!as) return;
    used.push(as);
    suggestions.set(`${key} ${prefix}`, { key, prefix, as: networkText(as) });
  };
  for (const { code, key, field, params } of errors) {
    if (code !== 'overlap' && code !== 'local_overlap') continue;
    const lans = nodes.find((node) => node.key === key)?.lans;
    suggest(key, lans?.[Number(/^lans\.(\d+)\./.exec(field ?? '')?.[1])]?.prefix);
    const other = nodes.find((node) => node.key === params.other_key);
    const met = other?.lans.find(({ prefix, as }) => as === undefined && prefix === params.other_prefix);
    suggest(other?.key, met?.prefix);
  }
  return [...suggestions.values()];
}

function subnetOf(text: string | null | undefined): Subnet | null {
  const address = readAddress(text);
  return address === null ? readSubnet(text) : { address, prefix: 32 };
}

function freeLike(prefix: number, used: readonly Subnet[]): Subnet | null {
  const last = readAddress('10.255.255.255')!;
  for (let address = readAddress('10.128.0.0')!; address <= last; ) {
    const free = { address, prefix };
    const taken = used.find((subnet) => overlap(subnet, free));
    if (!taken) return free;
    const size = sizeOf(prefix);
    address = Math.max(address + size, Math.ceil((broadcastOf(taken) + 1) / size) * size);
  }
  return null;
}
