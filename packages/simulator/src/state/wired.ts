import type { StateClient } from '@yunxun/contract/device';
import { linkLocal } from '../world/addresses.ts';
import { drawMac, drawPerson } from '../world/people.ts';
import type { Random } from '../world/random.ts';

/** A machine on a cable: a neighbour of the uplink, or a wired client of a gateway. */
export interface WiredMachine {
  mac: string;
  hostname: string | null;
  port: string;
  /** Its place in the address range; null: it shows only IPv6. */
  number: number | null;
  down: number;
  up: number;
}

/** Machines that hang on the given ports. Their numbers begin at `from`. */
export function wiredMachines(random: Random, count: number, ports: readonly string[], from: number): WiredMachine[] {
  return Array.from({ length: count }, (_none, index) => {
    const person = drawPerson(random);
    return {
      mac: drawMac(random, { ...person.habit, privateMac: false }),
      hostname: person.hostname ?? `PC-${random.whole(100, 999)}`,
      port: random.pick(ports),
      number: random.chance(0.25) ? null : from + index,
      down: person.habit.down / 4,
      up: person.habit.up / 4,
    };
  });
}

/** How a machine looks among `clients`. */
export function clientOf(machine: WiredMachine, address: string | null, random: Random): StateClient {
  return {
    mac: machine.mac,
    ...(address === null ? {} : { ipv4_addresses: [address] }),
    ipv6_addresses: [linkLocal(machine.mac)],
    ports: [machine.port],
    last_seen: random.whole(0, 50),
  };
}
