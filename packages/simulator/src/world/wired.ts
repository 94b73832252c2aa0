import type { StateClient } from '@yunxun/contract/device';
import { linkLocal } from './addresses.ts';
import { drawMac, drawPerson } from './people.ts';
import type { Random } from './random.ts';

export interface WiredMachine {
  slot: number;
  mac: string;
  hostname: string;
  number: number | null;
  /** Mean traffic, in kbit/s. */
  down: number;
  up: number;
}

const firstMachine = 240;
const addressed = 14;

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

export function wiredClient(mac: string, address: string | null, port: string, lastSeen: number): StateClient {
  return {
    mac,
    ...(address === null ? {} : { ipv4_addresses: [address] }),
    ipv6_addresses: [linkLocal(mac)],
    ports: [port],
    last_seen: lastSeen,
  };
}
