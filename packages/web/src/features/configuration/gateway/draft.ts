import { gatewayLimits, plainWan } from '@yunxun/contract/gateway-limits';
import { isHost, overlap, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import { ruleErrorOf, rules } from '@yunxun/contract/rules';
import { type SubnetCollision, subnetCollisions } from '@yunxun/contract/subnet-collisions';
import type { Data, Input } from '../../../app/api.ts';

export type GatewayAnswer = Data<'/api/v3/network/gateway/get'>;
export type Settings = Input<'/api/v3/network/gateway/save'>['settings'];
export type Gate = GatewayAnswer['gates'][number];

export type PortMtu = GatewayAnswer['mtus'][number];

/** Returns bytes; those of all ports if the port is unknown. */
export function mtuRange(port: PortMtu | undefined): { min: number; max: number } {
  const { min, max } = gatewayLimits.mtu;
  return { min: Math.max(min, port?.min ?? min), max: Math.min(max, port?.max ?? max) };
}

/** Numbers may be missing while they are edited. */
type Typed<T> = {
  [K in keyof T]: T[K] extends number ? number | null : T[K];
};
type Entry<T> = Typed<T> & { ref: string };

export type Wan = Entry<Settings['lines'][number]>;
export type Lease = Entry<Settings['networks'][number]['leases'][number]>;
export type Pool = Typed<NonNullable<Settings['networks'][number]['pool']>>;
export type Lan = Omit<Entry<Settings['networks'][number]>, 'pool' | 'leases'> & { pool: Pool | null; leases: Lease[] };
export type Forward = Entry<Settings['forwards'][number]>;
export type Route = Entry<Settings['routes'][number]>;
export type RateLimit = Entry<Settings['limits'][number]>;

export interface Draft {
  confirm_s: number | null;
  lines: Wan[];
  networks: Lan[];
  forwards: Forward[];
  routes: Route[];
  limits: RateLimit[];
  reboot: Settings['reboot'];
  take_port53?: boolean;
}

let made = 0;
// crypto.randomUUID does not exist on plain HTTP
const ref = () => `entry ${++made}`;

export function draftOf(settings: Settings): Draft {
  const named = <T>(list: readonly T[]) => list.map((entry) => ({ ...entry, ref: ref() }));
  return {
    ...settings,
    // settings saved before these fields existed lack them
    lines: named(settings.lines.map((wan) => ({ ...wired, ...wan }))),
    networks: settings.networks.map((lan) => ({ ...lan, ref: ref(), leases: named(lan.leases) })),
    forwards: named(settings.forwards),
    routes: named(settings.routes),
    limits: named(settings.limits),
  };
}

/** Omits fields of options not chosen. The server reports missing numbers. */
export function settingsOf(draft: Draft): Settings {
  const bare = <T extends { ref: string }>({ ref: _ref, ...entry }: T) => entry;
  const plain = {
    ...draft,
    lines: draft.lines.map((wan) => ({
      ...bare(wan),
      ...(wan.addressing === 'dynamic' ? { address: null, gateway: null } : {}),
    })),
    networks: draft.networks.map((lan) => ({ ...bare(lan), leases: lan.leases.map(bare) })),
    forwards: draft.forwards.map(bare),
    routes: draft.routes.map(bare),
    limits: draft.limits.map(bare),
  };
  return plain as Settings;
}

export function isChanged(draft: Draft, settings: Settings): boolean {
  return JSON.stringify(settingsOf(draft)) !== JSON.stringify(settingsOf(draftOf(settings)));
}

/** Link-layer defaults of a WAN. */
const wired = { vlan: null, mtu: null, mac: null };

/** Returns a new WAN; two on a port need a VLAN. */
export function newWan(port: string, wans: readonly Wan[]): Wan {
  const names = new Set(wans.map(({ name }) => name));
  let name = port;
  for (let n = 2; names.has(name); n += 1) name = `${port}-${n}`;
  return {
    ...plainWan(name, port),
    ...wired,
    ref: ref(),
    ssh: false,
  };
}

export const wanExtras = ['vlan', 'mtu', 'mac', 'dns', 'down_mbps', 'up_mbps', 'probe', 'metered', 'ssh'] as const;
export type WanExtra = (typeof wanExtras)[number];

/** Returns the fields beyond name, port and type that a WAN uses; a static one needs its DNS servers. */
export function usedExtras(wan: Wan): WanExtra[] {
  return wanExtras.filter((field) => {
    const value = wan[field];
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== false;
  });
}

export interface NamedCollision extends SubnetCollision {
  lineName: string;
  lanName: string;
}

/** Returns the LANs of the draft that overlap the reported subnet of a dynamic line. */
export function collisionsOf(draft: Draft, reported: GatewayAnswer['reported']): NamedCollision[] {
  return subnetCollisions(draft, reported).map((one) => ({
    ...one,
    lineName: draft.lines[one.line]!.name,
    lanName: draft.networks[one.network]!.name,
  }));
}

/** Proposes a LAN outside the other LANs and the reported subnets. */
export function newLan(lans: readonly Lan[], ports: string[], reported: GatewayAnswer['reported'] = []): Lan {
  const texts = [...lans.map(({ address }) => address), ...reported.map(({ subnet }) => subnet)];
  const taken = texts.flatMap((text) => readSubnet(text) ?? []);
  const isFree = (part: number) => {
    const subnet = readSubnet(`192.168.${part}.1/24`)!;
    return !taken.some((one) => overlap(one, subnet));
  };
  let third = 1;
  while (third < 254 && !isFree(third)) third += 1;
  const net = `192.168.${third}`;
  return {
    ref: ref(),
    name: `LAN${lans.length + 1}`,
    address: `${net}.1/24`,
    vlan: null,
    ports,
    tagged: [],
    leases: [],
    pool: { first: `${net}.10`, count: 200, lease_minutes: gatewayLimits.leaseMinutes.otherwise },
  };
}

export const newLease = (): Lease => ({ ref: ref(), mac: '', address: '', note: '' });
export const newForward = (): Forward => ({
  ref: ref(),
  note: '',
  protocol: 'tcp',
  port: '',
  address: '',
  to_port: null,
});
export const newRoute = (): Route => ({ ref: ref(), to: '', via: '' });
export const newLimit = (target: string): RateLimit => ({
  ref: ref(),
  name: '',
  kind: 'network',
  target,
  down_mbps: null,
  up_mbps: null,
});

/** Reuses an existing limit. @returns draft and ref */
export function withLimit(draft: Draft, terminal: string): { draft: Draft; wanted: string } {
  const mac = typedMac(terminal);
  const known = draft.limits.find(({ kind, target }) => kind === 'mac' && target === mac);
  if (known) return { draft, wanted: known.ref };
  const limit: RateLimit = { ...newLimit(mac), name: mac.replaceAll(':', '-'), kind: 'mac' };
  return { draft: { ...draft, limits: [...draft.limits, limit] }, wanted: limit.ref };
}

export function typedMac(text: string): string {
  const digits = text.toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits.length === 12 ? digits.replace(/(..)(?=.)/g, '$1:') : text.trim().toLowerCase();
}

export function typedList(text: string): string[] {
  return text.split(/[\s,，、;；]+/).filter(Boolean);
}

export interface Reservation {
  mac: string;
  /** Current address; null if unknown. */
  ip: string | null;
  name: string;
}

/** Uses the LAN of the client's address and an existing reservation. Null without DHCP. */
export function withLease(draft: Draft, { mac, ip, name }: Reservation): { draft: Draft; wanted: string } | null {
  const own = typedMac(mac);
  const known = draft.networks.flatMap(({ leases }) => leases).find((lease) => lease.mac === own);
  if (known) return { draft, wanted: known.ref };
  const address = ip === null ? null : readAddress(ip);
  const holdsIt = ({ address: text }: Lan) => {
    const subnet = readSubnet(text);
    return subnet !== null && address !== null && isHost(subnet, address);
  };
  const serving = draft.networks.filter(({ pool }) => pool !== null);
  const home = serving.find(holdsIt);
  const lan = home ?? serving[0];
  if (!lan) return null;
  const lease: Lease = { ...newLease(), mac: own, address: home && ip !== null ? ip : '', note: noteOf(name) };
  const networks = draft.networks.map((one) => (one === lan ? { ...one, leases: [...one.leases, lease] } : one));
  return { draft: { ...draft, networks }, wanted: lease.ref };
}

/** Returns the client's name as a valid note (rule noSpecialCharacters, 32 characters). */
function noteOf(name: string): string {
  const plain = [...name.trim().replace(/\s+/g, '-')].filter(
    (character) => ruleErrorOf(rules.noSpecialCharacters, `a${character}a`) === null,
  );
  return plain.slice(0, 32).join('');
}

export function forClient(
  draft: Draft,
  search: Readonly<Record<string, string | undefined>>,
): { draft: Draft; wanted: string } | null {
  const { limit_mac: limited, lease_mac: mac, lease_ip: ip, lease_name: name } = search;
  if (mac) return withLease(draft, { mac, ip: ip || null, name: name ?? '' });
  return limited ? withLimit(draft, limited) : null;
}
