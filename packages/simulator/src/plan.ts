import { AccessPointBox } from './box/access-point.ts';
import type { Box, BoxOptions } from './box/box.ts';
import { GatewayBox } from './box/gateway.ts';
import { type AccessPointModel, accessPointModels, type BoxRole, hardwareOf } from './box/hardware.ts';
import { SwitchBox } from './box/switch.ts';
import { deviceMac, simulatedSerial } from './world/addresses.ts';
import { type PlaceKind, placeKinds } from './world/hours.ts';
import { Place } from './world/place.ts';
import { hashOf, Random } from './world/random.ts';

/** How many boxes, and what they share. */
export interface PlanOptions {
  aps: number;
  gateways: number;
  switches: number;
  seed: string;
  /** Where the simulation begins. */
  startMs: number;
  speedUp: number;
  /** Hours east of UTC that people live by. */
  hoursEast: number;
  /** People and things per access point. */
  peoplePerAp: number;
  /** What the places are; one kind after the other unless it is said. */
  kind?: PlaceKind | undefined;
  /** Guests of open networks meet a captive portal on the access points. */
  portal?: boolean | undefined;
  /** Models of the access points, dealt in turn. */
  models?: readonly AccessPointModel[] | undefined;
  /** So many people in all, who come as soon as there is a network and stay, instead of those of the hour. */
  crowd?: number | undefined;
}

/** A place's network has room for this many people, and its floor for this many access points. */
const mostPeople = 220;
const mostAps = 10;

const makers: Readonly<Record<BoxRole, new (options: BoxOptions) => Box>> = {
  'access-point': AccessPointBox,
  gateway: GatewayBox,
  switch: SwitchBox,
};

/** The boxes of a fleet, spread over places: gateways first, then switches, then access points. */
export function planFleet(options: PlanOptions): { places: Place[]; boxes: Box[] } {
  const { aps, gateways, switches, seed, startMs, speedUp, hoursEast, peoplePerAp, kind, portal = false } = options;
  const { models = ['AX3000'], crowd } = options;
  const count = Math.max(1, gateways, Math.ceil(aps / mostAps));
  const places = Array.from({ length: count }, (_none, index) => {
    const here = share(aps, count, index);
    const carriers = here + share(gateways, count, index) + share(switches, count, index);
    return new Place({
      kind: kind ?? placeKinds[index % placeKinds.length] ?? 'office',
      random: new Random(`${seed}/place ${index}`),
      machines: 8 + (hashOf(`${seed}/${index}`) % 8),
      people: crowd === undefined ? Math.min(mostPeople, Math.max(here, 1) * peoplePerAp) : share(crowd, count, index),
      stay: crowd !== undefined,
      subnet: `10.${20 + (index >> 8)}.${index & 0xff}.1/24`,
      hoursEast,
      carriers: Math.max(1, carriers),
      startMs,
      speedUp,
    });
  });
  const numbers = places.map(() => 0);
  let serialNumber = 0;
  const build = (role: BoxRole, amount: number) =>
    Array.from({ length: amount }, (_none, index) => {
      const at = index % count;
      const place = places[at] as Place;
      const serial = simulatedSerial(seed, serialNumber);
      serialNumber += 1;
      const number = numbers[at] ?? 0;
      numbers[at] = number + 1;
      const random = new Random(`${seed}/box ${serial}`);
      const model = models[Math.floor(index / count) % models.length];
      const hardware = role === 'access-point' && model ? accessPointModels[model] : hardwareOf[role];
      return new makers[role]({ serial, hardware, place, random, number, startMs, portal });
    });
  const routers = build('gateway', gateways);
  const switching = build('switch', switches);
  const boxes = [...routers, ...switching, ...build('access-point', aps)];
  for (const box of boxes) connectUplink(box, boxes);
  return { places, boxes };
}

/** Who hangs above whom: access points on the place's switch, the switch on its gateway. */
function connectUplink(box: Box, boxes: readonly Box[]): void {
  const here = boxes.filter((other) => other !== box && other.place === box.place);
  const above =
    here.find((other) => other.hardware.role === 'switch') ?? here.find((other) => other.hardware.role === 'gateway');
  const gateway = here.find((other) => other.hardware.role === 'gateway');
  const peer = box.hardware.role === 'switch' ? gateway : above;
  if (peer === undefined) return;
  box.uplink = {
    name: peer.hardware.model,
    mac: deviceMac(peer.serial, 0),
    description: `${peer.hardware.model} ${peer.hardware.firmware}`,
    capability: peer.hardware.role === 'gateway' ? ['Bridge', 'Router'] : ['Bridge'],
    management_ips: peer.address === null ? [] : [peer.address],
    port_id: peer instanceof SwitchBox ? peer.portOf(box.number) : 'LAN1',
    port_descr: 'uplink',
  };
}

/** How many of `total` fall to one of `parts`, dealt in turn. */
function share(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0);
}
