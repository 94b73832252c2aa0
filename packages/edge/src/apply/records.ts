import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asNumber, asRecord, asText, isRecord } from '@yunxun/contract/device';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { readJson, removeDurably, writeDurably } from './durable.ts';
import { nothingOwned, type Ownership, readOwnership } from './ownership.ts';

/** The plan that was confirmed last. */
export interface Applied {
  uuid: number;
  plan: Plan;
  owned: Ownership;
  /** The boot of the box it was made in: after another one nothing of it is in the kernel. */
  boot: string;
}

/** Written before the first step of a change, gone once it is confirmed or taken back. */
export interface Journal {
  uuid: number;
  /** Unix seconds: until then the console must have been reached. */
  until: number;
  previous: Plan;
  previousUuid: number;
  next: Plan;
  /** What either of them touches. */
  owned: Ownership;
  boot: string;
}

/** A configuration that was tried and taken back, and why; it is not tried again by itself. */
export interface Returned {
  uuid: number;
  reason: string;
}

/** The agent's memory of what it did to the box. Every write is on disk when it returns. */
export class Records {
  readonly #folder: string;
  readonly #boot: string;

  /** @param boot identifies this boot of the box */
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

  /** Before the first step. */
  begin(journal: Omit<Journal, 'boot'>): void {
    writeDurably(join(this.#folder, 'journal.json'), JSON.stringify({ ...journal, boot: this.#boot }));
  }

  /** The box is as this plan says, and nothing is under way. In this order: a cut in between returns to where it already is. */
  settle(applied: Omit<Applied, 'boot'>): void {
    writeDurably(join(this.#folder, 'applied.json'), JSON.stringify({ ...applied, boot: this.#boot }));
    removeDurably(join(this.#folder, 'journal.json'));
  }

  /** Notes what was taken back. */
  note(returned: Returned): void {
    writeDurably(join(this.#folder, 'returned.json'), JSON.stringify(returned));
  }

  /** As before the first configuration. */
  forget(): void {
    for (const name of ['journal.json', 'applied.json', 'returned.json']) removeDurably(join(this.#folder, name));
  }
}

/** A plan is written by this program alone; one that lacks a section was written by another version and is completed. */
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
