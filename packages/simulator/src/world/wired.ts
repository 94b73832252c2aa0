import type { StateClient } from '@yunxun/contract/device';
import { colons, linkLocal } from './addresses.ts';
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

interface Kind {
  weight: number;
  hostname: string;
  prefixes: readonly string[];
  /** kbit/s. */
  down: number;
  up: number;
}

const kinds: readonly Kind[] = [
  { weight: 34, hostname: 'IPC', prefixes: ['c056e3', '4419b6', '9002a9', '3cef8c'], down: 8, up: 260 },
  { weight: 14, hostname: 'POS', prefixes: ['7085c2', 'd8bbc1'], down: 120, up: 40 },
  { weight: 12, hostname: 'DESKTOP', prefixes: ['8c1645', 'a4bb6d', '54ee75'], down: 650, up: 110 },
  { weight: 12, hostname: 'SIP-T31P', prefixes: ['805ec0', '001565'], down: 6, up: 6 },
  { weight: 12, hostname: 'NPI', prefixes: ['b05cda', '9457a5'], down: 2, up: 2 },
  { weight: 8, hostname: 'BRN', prefixes: ['008077', '001ba9'], down: 2, up: 2 },
  { weight: 8, hostname: 'NVR', prefixes: ['bcad28'], down: 40, up: 60 },
];
const total = kinds.reduce((sum, { weight }) => sum + weight, 0);

export function wiredMachines(random: Random, count: number): WiredMachine[] {
  return Array.from({ length: count }, (_none, slot) => {
    let draw = random.between(0, total);
    const kind =
      kinds.find(({ weight }) => {
        draw -= weight;
        return draw < 0;
      }) ?? kinds[0]!;
    const tail = random.whole(0, 0xff_ffff).toString(16).padStart(6, '0');
    return {
      slot,
      mac: colons(random.pick(kind.prefixes) + tail),
      hostname: `${kind.hostname}-${tail.slice(2).toUpperCase()}`,
      number: slot < addressed ? firstMachine + slot : null,
      down: kind.down,
      up: kind.up,
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
