import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { type Counters, type LinkState, normaliseMac, type StateUnit } from '@yunxun/contract/device';

/** Returns text without the last line break; null if unreadable (sysfs refuses speed without carrier). */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

export function countIn(path: string): number | null {
  const text = textOf(path);
  if (text === null || !/^\d{1,20}$/.test(text)) return null;
  const value = Number(text);
  return value <= Number.MAX_SAFE_INTEGER ? value : null;
}

const counterNames = [
  'rx_bytes',
  'rx_packets',
  'rx_errors',
  'rx_dropped',
  'tx_bytes',
  'tx_packets',
  'tx_errors',
  'tx_dropped',
  'multicast',
  'collisions',
] as const;

export function readCounters(sys: string, device: string): Counters | null {
  const counters: Counters = {};
  for (const name of counterNames) {
    const value = countIn(join(sys, 'class/net', device, 'statistics', name));
    if (value !== null) counters[name] = value;
  }
  return counters.rx_bytes === undefined || counters.tx_bytes === undefined ? null : counters;
}

/** Returns the increments; a counter that fell restarted at zero. */
export function countersSince(before: Counters | undefined, now: Counters): Counters {
  const grown: Counters = {};
  for (const name of counterNames) {
    const [last, value] = [before?.[name], now[name]];
    if (value !== undefined) grown[name] = last === undefined || value < last ? value : value - last;
  }
  return grown;
}

export function readLink(sys: string, device: string): LinkState {
  const folder = join(sys, 'class/net', device);
  const speed = countIn(join(folder, 'speed'));
  const duplex = textOf(join(folder, 'duplex'));
  return {
    carrier: countIn(join(folder, 'carrier')) ?? 0,
    ...(speed !== null && speed > 0 && speed < 4_000_000_000 ? { speed } : {}),
    ...(duplex === 'full' || duplex === 'half' ? { duplex } : {}),
  };
}

export function readMemory(text: string | null): NonNullable<StateUnit['memory']> | null {
  const names = new Map<string, number>();
  for (const line of (text ?? '').split('\n')) {
    const found = /^(\w+):\s+(\d{1,12}) kB$/.exec(line);
    if (found) names.set(found[1]!, Number(found[2]) * 1024);
  }
  const [total, free] = [names.get('MemTotal'), names.get('MemFree')];
  if (!total || free === undefined || free > total) return null;
  const [cached, buffered] = [names.get('Cached'), names.get('Buffers')];
  return {
    total,
    free,
    ...(cached === undefined ? {} : { cached }),
    ...(buffered === undefined ? {} : { buffered }),
  };
}

export interface Ticks {
  busy: number;
  all: number;
}

export function readTicks(text: string | null): Ticks[] {
  return (text ?? '').split('\n').flatMap((line) => {
    const found = /^cpu\d*\s+(\d[\d ]*)$/.exec(line);
    if (!found) return [];
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = found[1]!
      .split(' ')
      .map(Number);
    const busy = user + nice + system + irq + soft + stolen;
    return [{ busy, all: busy + idle + wait }];
  });
}

export function loadBetween(before: readonly Ticks[], now: readonly Ticks[]): number[] {
  if (before.length !== now.length) return [];
  const shares = now.map(({ busy, all }, index) => {
    const past = all - before[index]!.all;
    return past > 0 ? Math.min(100, Math.max(0, Math.round(((busy - before[index]!.busy) / past) * 100))) : null;
  });
  return shares.every((share) => share !== null) ? shares : [];
}

export function readNumbers(text: string | null, count: number): number[] | null {
  const numbers = (text ?? '').split(/\s+/).slice(0, count).map(Number);
  return text !== null && numbers.length === count && numbers.every((n) => Number.isFinite(n) && n >= 0)
    ? numbers
    : null;
}

export function readTemperature(sys: string): [number, number] | null {
  const zones = filesIn(join(sys, 'class/thermal'), /^thermal_zone\d+$/).map((zone) => join(zone, 'temp'));
  const chips = filesIn(join(sys, 'class/hwmon'), /^hwmon\d+$/).flatMap((chip) => filesIn(chip, /^temp\d+_input$/));
  // hwmon only without thermal zones: both may show the same sensor
  const read = (files: readonly string[]) =>
    files.flatMap((file) => {
      const value = Number(textOf(file) ?? Number.NaN) / 1000;
      return value > -40 && value < 200 ? [value] : [];
    });
  const inZones = read(zones);
  const values = inZones.length > 0 ? inZones : read(chips);
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [Math.round(mean * 10) / 10, Math.round(Math.max(...values) * 10) / 10];
}

export function readDisk(folder: string): { total: number; free: number } | null {
  try {
    const { bsize, blocks, bavail } = statfsSync(folder);
    return { total: bsize * blocks, free: bsize * bavail };
  } catch {
    return null;
  }
}

export interface Lease {
  /** Unix seconds; 0: infinite. */
  expires: number;
  mac: string;
  address: string;
  hostname: string | null;
}

/** Parses dnsmasq's leases (expiry, MAC, address, name, client id); skips IPv6 and broken lines. */
export function readLeases(text: string | null): Lease[] {
  return (text ?? '').split('\n').flatMap((line) => {
    const [expires = '', hardware = '', address = '', name = ''] = line.split(' ');
    // other hardware types prefix the MAC: `06-aa:…`
    const mac = normaliseMac(hardware);
    if (!/^\d{1,11}$/.test(expires) || mac === null || !isIPv4(address)) return [];
    return [
      { expires: Number(expires), mac, address, hostname: name === '*' || name === '' ? null : name.slice(0, 253) },
    ];
  });
}

function filesIn(folder: string, form: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => form.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
