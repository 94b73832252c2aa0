import type { StateClient } from '@yunxun/contract/device';
import { linkLocal } from './addresses.ts';
import { drawMac, drawPerson } from './people.ts';
import type { Random } from './random.ts';

/** A machine on a cable of the place. Everyone on its network sees the same ones. */
export interface WiredMachine {
  /** Which socket of the wall it hangs on. */
  slot: number;
  mac: string;
  hostname: string;
  /** Its place in the address range; null: it shows only IPv6. */
  number: number | null;
  /** Mean traffic, kbit/s. */
  down: number;
  up: number;
}

/** Addresses of machines begin here, after those of boxes and stations. */
const firstMachine = 240;
/** A /24 has room for so many of them. */
const addressed = 14;

/** The machines of a place. */
export function wiredMachines(random: Random, count: number): WiredMachine[] {
  return Array.from({ length: count }, (_none, slot) => {
    const person = drawPerson(random);
    return {
      slot,
      mac: drawMac(random, { ...person.habit, privateMac: false }),
      hostname: person.hostname ?? `PC-${random.whole(100, 999)}`,
      number: slot < addressed ? firstMachine + slot : null,
      down: person.habit.down / 4,
      up: person.habit.up / 4,
    };
  });
}

/** How somebody on a cable looks among `clients`. */
export function wiredClient(mac: string, address: string | null, port: string, lastSeen: number): StateClient {
  return {
    mac,
    ...(address === null ? {} : { ipv4_addresses: [address] }),
    ipv6_addresses: [linkLocal(mac)],
    ports: [port],
    last_seen: lastSeen,
  };
}
