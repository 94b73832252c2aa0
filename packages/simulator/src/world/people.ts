import type { Fingerprint } from '@yunxun/contract/device';
import { colons } from './addresses.ts';
import type { Random } from './random.ts';

export interface Habit {
  fingerprint: Fingerprint;
  hostname: string | null;
  prefixes: readonly string[];
  privateMac: boolean;
  stays: number;
  moves: number;
  /** Mean traffic while active in kbit/s, and the active share of time. */
  down: number;
  up: number;
  active: number;
  comesAndGoes: boolean;
  bands: readonly string[];
  wifi: 'ht' | 'vht' | 'he';
  streams: number;
}

const dual = ['2G', '5G'];

const habits: readonly { weight: number; habit: Habit }[] = [
  phone(20, 'Apple', 'iPhone', 'f0189894d31f', true),
  phone(14, 'Xiaomi', 'Xiaomi phone', '64cc2e28e31f', true),
  phone(12, 'Huawei', 'HUAWEI phone', '48db50e0191d', true),
  phone(8, 'Samsung', 'Galaxy', '8c7967c0bdd1', true),
  phone(6, 'OPPO', 'OPPO phone', '2c5bb8a43d78', false),
  laptop(10, 'Apple', 'MacBook Pro', 'MacBookPro', 'a483e73c22fb'),
  laptop(9, 'Lenovo', 'ThinkPad', 'LAPTOP', '54ee753c6aa7'),
  laptop(6, 'Dell', 'Latitude', 'DESKTOP', 'd8bbc1b07b25'),
  thing(4, 'HP', 'LaserJet', 'printer', 'NPI', 'b05cda9457a5', 4, 8),
  thing(4, 'Espressif', 'Smart plug', 'iot', 'ESP', '240ac430aea4', 1, 1),
  thing(2, 'Sonos', 'Speaker', 'media', 'Sonos', '949f3e5caafd', 320, 10),
];

function phone(weight: number, vendor: string, device: string, prefixes: string, privateMac: boolean) {
  const habit: Habit = {
    fingerprint: { vendor, device, class: 'phone', device_name: device },
    hostname: vendor === 'Apple' ? 'iPhone' : null,
    prefixes: split(prefixes),
    privateMac,
    stays: 35,
    moves: 9,
    down: 900,
    up: 110,
    active: 0.35,
    comesAndGoes: true,
    bands: dual,
    wifi: 'he',
    streams: 2,
  };
  return { weight, habit };
}

function laptop(weight: number, vendor: string, device: string, hostname: string, prefixes: string) {
  const habit: Habit = {
    fingerprint: { vendor, device, class: 'laptop', device_name: device },
    hostname,
    prefixes: split(prefixes),
    privateMac: false,
    stays: 140,
    moves: 55,
    down: 2600,
    up: 420,
    active: 0.5,
    comesAndGoes: true,
    bands: dual,
    wifi: 'he',
    streams: 2,
  };
  return { weight, habit };
}

function thing(
  weight: number,
  vendor: string,
  device: string,
  kind: string,
  hostname: string | null,
  prefixes: string,
  down: number,
  up: number,
) {
  const habit: Habit = {
    fingerprint: { vendor, device, class: kind, device_name: device },
    hostname,
    prefixes: split(prefixes),
    privateMac: false,
    stays: 60 * 72,
    moves: 60 * 240,
    down,
    up,
    active: 0.9,
    comesAndGoes: false,
    bands: ['2G'],
    wifi: 'ht',
    streams: 1,
  };
  return { weight, habit };
}

function split(prefixes: string): readonly string[] {
  return prefixes.match(/.{6}/g) ?? [];
}

export interface Person {
  habit: Habit;
  hostname: string | null;
}

export function drawPerson(random: Random): Person {
  const total = habits.reduce((sum, entry) => sum + entry.weight, 0);
  let draw = random.between(0, total);
  const entry = habits.find(({ weight }) => {
    draw -= weight;
    return draw < 0;
  });
  const { habit } = entry ?? (habits[0] as (typeof habits)[number]);
  const tail = random.whole(0x1000, 0xffff);
  return { habit, hostname: habit.hostname === null ? null : `${habit.hostname}-${endingOf(habit.hostname, tail)}` };
}

function endingOf(hostname: string, number: number): string {
  const digits = { LAPTOP: 8, DESKTOP: 7 }[hostname];
  if (digits === undefined) return number.toString(16).toUpperCase();
  return (number * 5_679_013 + 36 ** 7).toString(36).toUpperCase().slice(-digits);
}

export function drawMac(random: Random, habit: Habit): string {
  const tail = random.whole(0, 0xff_ffff).toString(16).padStart(6, '0');
  if (!habit.privateMac) return colons(random.pick(habit.prefixes) + tail);
  const first = ((random.whole(0, 255) & 0xfc) | 2).toString(16).padStart(2, '0');
  return colons(first + random.whole(0, 0xffff).toString(16).padStart(4, '0') + tail);
}
