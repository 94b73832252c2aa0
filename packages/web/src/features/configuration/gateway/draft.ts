import type { Data, Input } from '../../../app/api.ts';

export type GatewayAnswer = Data<'/api/v3/network/gateway/get'>;
export type Settings = Input<'/api/v3/network/gateway/save'>['settings'];
export type Gate = GatewayAnswer['gates'][number];

/** Numbers may be missing while they are typed. */
type Typed<T> = {
  [K in keyof T]: T[K] extends number ? number | null : T[K];
};
/** An entry of a list while it is edited, with a name of its own for the page. */
type Entry<T> = Typed<T> & { ref: string };

export type Line = Entry<Settings['lines'][number]>;
export type Lease = Entry<Settings['networks'][number]['leases'][number]>;
export type Pool = Typed<NonNullable<Settings['networks'][number]['pool']>>;
export type Lan = Omit<Entry<Settings['networks'][number]>, 'pool' | 'leases'> & { pool: Pool | null; leases: Lease[] };
export type Forward = Entry<Settings['forwards'][number]>;
export type Route = Entry<Settings['routes'][number]>;
export type RateLimit = Entry<Settings['limits'][number]>;

/** What a person has changed and not applied. */
export interface Draft {
  confirm_s: number | null;
  lines: Line[];
  networks: Lan[];
  forwards: Forward[];
  routes: Route[];
  limits: RateLimit[];
  reboot: Settings['reboot'];
}

let made = 0;
// not crypto.randomUUID, which a console on plain http does not have
const ref = () => `entry ${++made}`;

/** Settings as a draft. */
export function draftOf(settings: Settings): Draft {
  const named = <T>(list: readonly T[]) => list.map((entry) => ({ ...entry, ref: ref() }));
  return {
    ...settings,
    lines: named(settings.lines),
    networks: settings.networks.map((lan) => ({ ...lan, ref: ref(), leases: named(lan.leases) })),
    forwards: named(settings.forwards),
    routes: named(settings.routes),
    limits: named(settings.limits),
  };
}

/**
 * A draft as the server takes it, in which whatever belongs to a choice that was not made is left out. A number that is
 * missing is said beside its field by the server.
 */
export function settingsOf(draft: Draft): Settings {
  const bare = <T extends { ref: string }>({ ref: _ref, ...entry }: T) => entry;
  const plain = {
    ...draft,
    lines: draft.lines.map((line) => ({
      ...bare(line),
      ...(line.addressing === 'dynamic' ? { address: null, gateway: null } : {}),
    })),
    networks: draft.networks.map((lan) => ({ ...bare(lan), leases: lan.leases.map(bare) })),
    forwards: draft.forwards.map(bare),
    routes: draft.routes.map(bare),
    limits: draft.limits.map(bare),
  };
  return plain as Settings;
}

/** Whether anything would be saved. */
export function isChanged(draft: Draft, settings: Settings): boolean {
  return JSON.stringify(settingsOf(draft)) !== JSON.stringify(settingsOf(draftOf(settings)));
}

export function newLine(port: string): Line {
  return {
    ...{ ref: ref(), name: port, port, addressing: 'dynamic', address: null, gateway: null },
    ...{ dns: [], down_mbps: null, up_mbps: null, probe: [], ssh: false },
  };
}

/** The first of 192.168.x.1/24 that no LAN has. */
export function newLan(lans: readonly Lan[], ports: string[]): Lan {
  const taken = new Set(lans.map(({ address }) => address.split('.').slice(0, 3).join('.')));
  let third = 1;
  while (taken.has(`192.168.${third}`)) third += 1;
  const net = `192.168.${third}`;
  return {
    ...{ ref: ref(), name: `LAN${lans.length + 1}`, address: `${net}.1/24`, vlan: null, ports, tagged: [], leases: [] },
    pool: { first: `${net}.10`, count: 200, lease_minutes: 360 },
  };
}

export const newLease = (): Lease => ({ ref: ref(), mac: '', address: '', note: '' });
export const newForward = (): Forward => ({
  ...{ ref: ref(), note: '', protocol: 'tcp', port: '', address: '', to_port: null },
});
export const newRoute = (): Route => ({ ref: ref(), to: '', via: '' });
export const newLimit = (target: string): RateLimit => ({
  ...{ ref: ref(), name: '', kind: 'network', target, down_mbps: null, up_mbps: null },
});

/** A draft that limits a terminal, and the name of that entry; of one that has a limit already, that one's. */
export function withLimit(draft: Draft, terminal: string): { draft: Draft; wanted: string } {
  const mac = typedMac(terminal);
  const known = draft.limits.find(({ kind, target }) => kind === 'mac' && target === mac);
  if (known) return { draft, wanted: known.ref };
  const limit: RateLimit = { ...newLimit(mac), name: mac.replaceAll(':', '-'), kind: 'mac' };
  return { draft: { ...draft, limits: [...draft.limits, limit] }, wanted: limit.ref };
}

/** A MAC as the server takes it, however it was typed or pasted. */
export function typedMac(text: string): string {
  const digits = text.toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits.length === 12 ? digits.replace(/(..)(?=.)/g, '$1:') : text.trim().toLowerCase();
}

/** Addresses in one field, separated by commas or spaces. */
export function typedList(text: string): string[] {
  return text.split(/[\s,，、;；]+/).filter(Boolean);
}
