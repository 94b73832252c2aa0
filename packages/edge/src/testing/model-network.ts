import { holds, networkOf, readAddress, readSubnet, type Subnet } from '@yunxun/contract/ipv4';

/** Addresses are `device address/prefix`; routes map `table to metric` to `via device protocol [source]`. */
export interface NetworkState {
  addresses: string[];
  routes: Record<string, string>;
}

interface OwnAddress {
  key: string;
  device: string;
  ip: string;
  subnet: Subnet;
}

function own(key: string): OwnAddress {
  const [device = '', address = ''] = key.split(' ');
  return { key, device, ip: address.split('/')[0] ?? '', subnet: readSubnet(address)! };
}

const isSameSubnet = (a: OwnAddress, b: OwnAddress) =>
  a.device === b.device && a.subnet.prefix === b.subnet.prefix && networkOf(a.subnet) === networkOf(b.subnet);

/** Follows Linux without `promote_secondaries`: a subnet's first address takes the others along. */
export function removeAddress(state: NetworkState, key: string): void {
  const leaving = own(key);
  const first = state.addresses.map(own).find((one) => isSameSubnet(one, leaving));
  const takesAlong = first?.key === key;
  dropAddresses(state, (one) => one.key === key || (takesAlong && isSameSubnet(one, leaving)));
}

export function dropDevice(state: NetworkState, device: string): void {
  dropAddresses(state, (one) => one.device === device);
  dropRoutes(state, device);
}

function dropAddresses(state: NetworkState, isGone: (address: OwnAddress) => boolean): void {
  const [before, gone] = [state.addresses.map(own), new Set<string>()];
  state.addresses = before.filter((one) => !isGone(one)).map(({ key }) => key);
  for (const { ip } of before.filter(isGone)) if (!hasAddress(state, ip)) gone.add(ip);
  for (const [key, value] of Object.entries(state.routes)) {
    if (gone.has(value.split(' ')[3] ?? '')) delete state.routes[key];
  }
  const devices = new Set(before.filter(isGone).map(({ device }) => device));
  for (const device of devices) {
    if (!state.addresses.some((key) => own(key).device === device)) dropRoutes(state, device);
  }
}

export function dropRoutes({ routes }: NetworkState, device: string): void {
  for (const [key, value] of Object.entries(routes)) if (value.split(' ')[1] === device) delete routes[key];
}

function hasAddress({ addresses }: NetworkState, ip: string | null, device: string | null = null): boolean {
  return addresses.map(own).some((one) => one.ip === ip && (device === null || one.device === device));
}

export interface RouteWords {
  via: string | null;
  device: string | null;
  source: string | null;
  /** The gateway need not be in a connected subnet. */
  onlink: boolean;
}

/** Returns the device, or the kernel's error (Linux 6.18). */
export function nextHop(state: NetworkState, words: RouteWords): { device: string | null } | { error: string } {
  const { via, device, source, onlink } = words;
  if (source !== null && !hasAddress(state, source)) return { error: 'Invalid prefsrc address' };
  if (via === null) return { device };
  // with `onlink` an own address of any device is refused, else one of the same device
  if (hasAddress(state, via, onlink ? null : device)) return { error: 'Nexthop has invalid gateway' };
  if (onlink) return { device };
  const connected = connectedTo(state, via, device);
  return connected === null ? { error: 'Nexthop has invalid gateway' } : { device: connected };
}

function connectedTo({ addresses }: NetworkState, ip: string, device: string | null): string | null {
  const at = addresses.map(own).filter((one) => device === null || one.device === device);
  const reaching = at.filter(({ subnet }) => holds(subnet, readAddress(ip)!));
  return reaching.toSorted((a, b) => b.subnet.prefix - a.subnet.prefix)[0]?.device ?? null;
}

/** Returns the way of packets that only default routes match. */
export function wayOut({ routes }: NetworkState): { via: string; device: string } | null {
  const defaults = Object.entries(routes).flatMap(([key, value]) => {
    const [table, to, metric] = key.split(' ');
    const [via = '', device = ''] = value.split(' ');
    return table === '254' && to === 'default' ? [{ via, device, metric: Number(metric) }] : [];
  });
  return defaults.toSorted((a, b) => a.metric - b.metric)[0] ?? null;
}
