import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, dayOf } from '../platform/calendar.ts';
import { ConfigError } from '../platform/config.ts';
import { writeWhole } from '../platform/postgres/files.ts';
import type { Known } from './guests.ts';

/** Stored: written once despite restarts. */
export interface PastMemory {
  from: string;
  /** By shop: where its live fleet began. Milliseconds. */
  ends: Record<string, { untilMs: number; lastMs: number }>;
  complete: boolean;
}

export const zone = 'Asia/Shanghai';
export const pastDays = 30;

export interface Memory {
  made: typeof made;
  isEmpty: boolean;
  password: string;
  gwids: Record<string, string>;
  /** Keys of the staff's networks, by shop. */
  keys: Record<string, string>;
  past: PastMemory;
  guests: Record<string, Known>;
  finished: string[];
  notes: Record<string, unknown>;
}

/** Changes with the shops: devices of an older demo would stay offline. */
const made = 2;

export interface MemoryFile {
  readonly memory: Memory;
  save(): void;
}

/** @throws ConfigError for a demo of other shops, or of the other kind */
export function openMemory(dataDir: string, isEmpty: boolean): MemoryFile {
  const file = join(dataDir, 'demo.json');
  const memory = read(file, isEmpty);
  if (memory.made !== made)
    throw new ConfigError(
      `The demo in ${dataDir} is of an older version with other networks. Remove it (npm run remove-data -- ${dataDir}) to make a new one, or choose another YUNXUN_DATA.`,
    );
  if (memory.isEmpty !== isEmpty) {
    const kind = memory.isEmpty ? 'an empty one' : 'one with networks';
    throw new ConfigError(`The demo in ${dataDir} is ${kind}: choose another YUNXUN_DATA for this one.`);
  }
  return {
    memory,
    save() {
      mkdirSync(dataDir, { recursive: true });
      writeWhole(file, `${JSON.stringify(memory, null, 2)}\n`, 0o600);
    },
  };
}

function read(file: string, isEmpty: boolean): Memory {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Memory;
  const password = `demo~${randomBytes(4).toString('hex')}`;
  const past = { from: addDays(dayOf(new Date(), zone), 1 - pastDays), ends: {}, complete: false };
  return { made, isEmpty, password, gwids: {}, keys: {}, past, guests: {}, finished: [], notes: {} };
}
