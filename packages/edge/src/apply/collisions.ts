import { holds, networkText, overlap, readAddress, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import type { Plan } from '../render/plan.ts';

/** A provider leased an address, or named a router, in the subnet of a LAN. */
export interface Collision {
  /** Interface names of the state report: `up0v0`, `down1v0`. */
  line: string;
  lan: string;
  /** Network of the LAN: `192.168.1.0/24`. */
  subnet: string;
}

/** Lease of each WAN by device. */
type Leases = Readonly<Record<string, { lease: Lease | null }>>;

interface Lease {
  address: string;
  prefix: number;
  gateway: string | null;
}

interface LanAddress {
  name: string;
  device: string;
  address: string;
  subnet: Subnet;
}

function lanAddresses({ layout, addresses }: Plan): LanAddress[] {
  const lans = layout.interfaces.filter(({ role }) => role === 'downstream');
  return lans.flatMap(({ name, device }) =>
    addresses
      .filter((one) => one.device === device)
      .map(({ address }) => ({ name, device, address, subnet: readSubnet(address)! })),
  );
}

export function collisionsOf(plan: Plan, states: Leases): Collision[] {
  const lans = lanAddresses(plan);
  return plan.lines.flatMap(({ device, interface: line, fixed }) => {
    const subnets = fixed === null ? subnetsOf(states[device]?.lease ?? null) : [];
    const hit = lans.filter(({ subnet }) => subnets.some((leased) => overlap(subnet, leased)));
    return hit.map(({ name, subnet }) => ({ line, lan: name, subnet: networkText(subnet) }));
  });
}

/** Providers also lease a /32 whose router is outside of it. */
function subnetsOf(lease: Lease | null): Subnet[] {
  if (lease === null) return [];
  const { address, prefix, gateway } = lease;
  return [`${address}/${prefix}`, ...(gateway === null ? [] : [`${gateway}/32`])].map((text) => readSubnet(text)!);
}

/**
 * Returns the plan without LAN addresses that collide with a lease, and routes through them. WAN and console stay
 * reachable: the kernel would send the WAN's subnet, router included, into the LAN, and refuses a router that is an own
 * address.
 */
export function withoutCollisions(plan: Plan, states: Leases): Plan {
  const collisions = collisionsOf(plan, states);
  if (collisions.length === 0) return plan;
  const off = lanAddresses(plan).filter(({ name, subnet }) =>
    collisions.some((one) => one.lan === name && one.subnet === networkText(subnet)),
  );
  const isOff = (device: string | null, via: string | null) =>
    via !== null &&
    off.some((lan) => (device === null || device === lan.device) && holds(lan.subnet, readAddress(via)!));
  return {
    ...plan,
    addresses: plan.addresses.filter(
      (one) => !off.some(({ device, address }) => device === one.device && address === one.address),
    ),
    routes: plan.routes.filter(({ device, via }) => !isOff(device, via)),
  };
}
