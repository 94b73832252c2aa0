import { AccessPointBox } from './box/access-point.ts';
import type { Box, BoxOptions } from './box/box.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import { GatewayBox } from './box/gateway.ts';
import { type AccessPointModel, type BoxRole, hardwareFor, isRouter } from './box/hardware.ts';
import { SwitchBox } from './box/switch.ts';
import type { TunnelEnds } from './box/tunnels.ts';
import { deviceMac, simulatedSerial } from './world/addresses.ts';
import { type PlaceKind, placeKinds } from './world/hours.ts';
import { Place } from './world/place.ts';
import { hashOf, Random } from './world/random.ts';

export interface PlanOptions {
  aps: number;
  gateways: number;
  edges?: number;
  switches: number;
  seed: string;
  startMs: number;
  speedUp: number;
  hoursEast: number;
  peoplePerAp: number;
  kind?: PlaceKind | undefined;
  leastShare?: number | undefined;
  portal?: boolean | undefined;
  models?: readonly AccessPointModel[] | undefined;
  branded?: boolean | undefined;
  /** Tunnel ends of several fleets; default: of this one. */
  tunnels?: TunnelEnds | undefined;
  crowd?: number | undefined;
  /** People and time do not move until the places begin or are released. */
  held?: boolean | undefined;
}

/** Limits of a site: clients by its address range, access points by its floor. */
const maxPeople = 220;
const maxAps = 10;

const makers: Readonly<Record<BoxRole, new (options: BoxOptions) => Box>> = {
  'access-point': AccessPointBox,
  gateway: GatewayBox,
  edge: EdgeGatewayBox,
  switch: SwitchBox,
};

export function planFleet(options: PlanOptions): { places: Place[]; boxes: Box[] } {
  const { aps, gateways, switches, seed, startMs, speedUp, hoursEast, peoplePerAp, kind, portal = false } = options;
  const { models = ['AX3000'], crowd, edges = 0, branded = false, held = false, leastShare } = options;
  const routers = gateways + edges;
  const count = Math.max(1, routers, Math.ceil(aps / maxAps));
  const places = Array.from({ length: count }, (_none, index) => {
    const here = share(aps, count, index);
    const carriers = here + share(routers, count, index) + share(switches, count, index);
    return new Place({
      kind: kind ?? placeKinds[index % placeKinds.length] ?? 'office',
      random: new Random(`${seed}/place ${index}`),
      machines: 8 + (hashOf(`${seed}/${index}`) % 8),
      people: crowd === undefined ? Math.min(maxPeople, Math.max(here, 1) * peoplePerAp) : share(crowd, count, index),
      stay: crowd !== undefined,
      leastShare,
      held,
      subnet: `10.${20 + (index >> 8)}.${index & 0xff}.1/24`,
      hoursEast,
      carriers: Math.max(1, carriers),
      startMs,
      speedUp,
    });
  });
  const tunnels: TunnelEnds = options.tunnels ?? new Map();
  const numbers = places.map(() => 0);
  let serialNumber = 0;
  const build = (role: BoxRole, amount: number, first = 0) =>
    Array.from({ length: amount }, (_none, index) => {
      const at = (first + index) % count;
      const place = places[at] as Place;
      const serial = simulatedSerial(seed, serialNumber);
      serialNumber += 1;
      const number = numbers[at] ?? 0;
      numbers[at] = number + 1;
      const random = new Random(`${seed}/box ${serial}`);
      const model = models[Math.floor(index / count) % models.length] ?? 'AX3000';
      const hardware = hardwareFor(role, model, branded);
      return new makers[role]({ serial, hardware, place, random, number, startMs, portal, tunnels });
    });
  const routing = [...build('gateway', gateways), ...build('edge', edges, gateways)];
  const switching = build('switch', switches);
  const boxes = [...routing, ...switching, ...build('access-point', aps)];
  for (const box of boxes) connectUplink(box, boxes);
  return { places, boxes };
}

export interface PlannedDevice {
  serial: string;
  role: BoxRole;
  mac: string;
  uplinkMac: string | null;
}

export const plannedDevices = (options: Omit<PlanOptions, 'startMs' | 'speedUp'>): PlannedDevice[] =>
  planFleet({ ...options, startMs: 0, speedUp: 1 }).boxes.map(plannedDevice);

export const plannedDevice = ({ serial, hardware, mac, uplink }: Box): PlannedDevice => ({
  serial,
  role: hardware.role,
  mac,
  uplinkMac: uplink?.mac ?? null,
});

function connectUplink(box: Box, boxes: readonly Box[]): void {
  const here = boxes.filter((other) => other !== box && other.place === box.place);
  const behind: unknown = box.place.switchOf(box.place.slotOf(box.serial));
  const above = here.find((other) => other === behind) ?? here.find((other) => isRouter(other.hardware.role));
  const gateway = here.find((other) => isRouter(other.hardware.role));
  const peer = box.hardware.role === 'switch' ? gateway : above;
  if (peer === undefined) return;
  box.uplink = {
    name: peer.hardware.model,
    mac: deviceMac(peer.serial, 0),
    description: `${peer.hardware.model} ${peer.hardware.firmware}`,
    capability: isRouter(peer.hardware.role) ? ['Bridge', 'Router'] : ['Bridge'],
    management_ips: peer.address === null ? [] : [peer.address],
    port_id: peer instanceof SwitchBox ? peer.portOf(box.place.slotOf(box.serial)) : 'LAN1',
    port_descr: 'uplink',
  };
}

function share(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0);
}
