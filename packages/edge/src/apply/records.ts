import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asNumber, asRecord, asText, isRecord } from '@yunxun/contract/device';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { readJson, removeDurably, writeDurably } from './durable.ts';
import { nothingOwned, type Ownership, readOwnership } from './ownership.ts';

export interface Applied {
  uuid: number;
  plan: Plan;
  owned: Ownership;
  /** After another boot the kernel has none of the plan. */
  boot: string;
}

/** Written before the first step, deleted after confirmation or rollback. */
export interface Journal {
  uuid: number;
  until: number;
  previous: Plan;
  previousUuid: number;
  next: Plan;
  owned: Ownership;
  boot: string;
}

/** Rolled back; not retried automatically. */
export interface Returned {
  uuid: number;
  reason: string;
}

export class Records {
  readonly #folder: string;
  readonly #boot: string;

  constructor(folder: string, boot = bootId()) {
    this.#folder = folder;
    this.#boot = boot;
  }

  get boot(): string {
    return this.#boot;
  }

  get applied(): Applied {
    const read = asRecord<Applied>(readJson(join(this.#folder, 'applied.json')));
    const plan = readPlan(read.plan);
    if (plan === null) return { uuid: 0, plan: emptyPlan, owned: nothingOwned, boot: this.#boot };
    return {
      uuid: asNumber(read.uuid) ?? 0,
      plan,
      owned: readOwnership(read.owned),
      boot: asText(read.boot, 64) ?? '',
    };
  }

  get journal(): Journal | null {
    const read = asRecord<Journal>(readJson(join(this.#folder, 'journal.json')));
    const [previous, next] = [readPlan(read.previous), readPlan(read.next)];
    if (previous === null || next === null) return null;
    return {
      uuid: asNumber(read.uuid) ?? 0,
      until: asNumber(read.until) ?? 0,
      previous,
      previousUuid: asNumber(read.previousUuid) ?? 0,
      next,
      owned: readOwnership(read.owned),
      boot: asText(read.boot, 64) ?? '',
    };
  }

  get returned(): Returned | null {
    const read = asRecord<Returned>(readJson(join(this.#folder, 'returned.json')));
    const uuid = asNumber(read.uuid);
    return uuid === null ? null : { uuid, reason: asText(read.reason, 1024) ?? '' };
  }

  begin(journal: Omit<Journal, 'boot'>): void {
    writeDurably(join(this.#folder, 'journal.json'), JSON.stringify({ ...journal, boot: this.#boot }));
  }

  /** Stores the plan, then deletes the journal; after a power cut in between, the plan counts. */
  settle(applied: Omit<Applied, 'boot'>): void {
    writeDurably(join(this.#folder, 'applied.json'), JSON.stringify({ ...applied, boot: this.#boot }));
    removeDurably(join(this.#folder, 'journal.json'));
  }

  note(returned: Returned): void {
    writeDurably(join(this.#folder, 'returned.json'), JSON.stringify(returned));
  }

  forget(): void {
    for (const name of ['journal.json', 'applied.json', 'returned.json']) removeDurably(join(this.#folder, name));
  }
}

function readPlan(value: unknown): Plan | null {
  return isRecord(value) ? { ...emptyPlan, ...value } : null;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/** Returns an unconfirmed journal; null if the records hold its result. */
export function unsettled({ journal, applied }: Pick<Records, 'journal' | 'applied'>): Journal | null {
  if (journal === null) return null;
  return applied.uuid === journal.uuid && isDeepStrictEqual(applied.plan, journal.next) ? null : journal;
}
