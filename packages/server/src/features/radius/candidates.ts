import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCheckBudget } from './check-budget.ts';
import type { Entry, Nas } from './nas.ts';

/** Possible senders of a packet; only a proof of the secret tells which. */
export interface Candidates {
  readonly isEmpty: boolean;
  readonly shown: readonly Entry[];
  only(fits: (entry: Entry) => boolean): Candidates;
  /** Checks likely ones at once, others over several packets. */
  find(fits: (nas: Nas) => boolean): Promise<Nas | null>;
  /** For packets without proof. */
  few(): Promise<readonly Nas[]>;
}

export interface Field {
  /** Earliest proof first: later ones cannot push it back. */
  proven: readonly Entry[];
  /** Last saved first: its owner is at work on it. */
  unproven: readonly Entry[];
}

/**
 * Per packet. Any account can enter foreign values: the first of each kind are always checked, the rest in rotation.
 */
const perPacket = { proven: 64, unproven: 4, rotated: 64, opened: 64, few: 8, shown: 16 } as const;
const maxRecent = 2;
const maxSenders = 50_000;

interface Sender {
  recent: readonly string[];
  next: number;
}

export interface CandidatesDeps {
  clock: Clock;
  open(entries: readonly Entry[], max: number): Promise<readonly Nas[]>;
}

export function createCandidates({ clock, open }: CandidatesDeps) {
  const senders = boundedCache<Sender>(maxSenders);
  const budget = createCheckBudget(clock);

  function rotate(key: string, rest: readonly Entry[], max: number): Entry[] {
    const count = Math.min(rest.length, max);
    if (count <= 0) return [];
    const sender = senders.get(key) ?? { recent: [], next: 0 };
    const taken: Entry[] = [];
    let sealed = 0;
    while (taken.length < count) {
      const entry = rest[(sender.next + taken.length) % rest.length]!;
      sealed += entry.secret === null ? 1 : 0;
      if (sealed > perPacket.opened) break;
      taken.push(entry);
    }
    senders.set(key, { ...sender, next: (sender.next + taken.length) % rest.length });
    return taken;
  }

  /** `payer`: whose budget rotation spends. */
  function of(key: string, payer: string, { proven, unproven }: Field): Candidates {
    const recent = () => {
      const ids = senders.get(key)?.recent ?? [];
      return ids.flatMap((id) => proven.find((entry) => entry.id === id) ?? []);
    };
    const likely = () => [
      ...proven.slice(0, perPacket.proven / 8),
      ...unproven.slice(0, perPacket.unproven),
      ...proven.slice(perPacket.proven / 8, perPacket.proven),
    ];
    return {
      isEmpty: proven.length + unproven.length === 0,
      shown: [...proven, ...unproven].slice(0, perPacket.shown),
      only: (fits) => of(key, payer, { proven: proven.filter(fits), unproven: unproven.filter(fits) }),
      async find(fits) {
        const known = (await open(recent(), maxRecent)).find(fits);
        if (known) return known;
        const first = (await open(likely(), perPacket.opened)).find(fits);
        if (first) return first;
        const rest = [...proven.slice(perPacket.proven), ...unproven.slice(perPacket.unproven)];
        if (rest.length === 0) return null;
        const taken = rotate(key, rest, budget.take(payer, Math.min(rest.length, perPacket.rotated)));
        return (await open(taken, perPacket.opened)).find(fits) ?? null;
      },
      async few() {
        const first = [...new Set([...recent(), ...proven.slice(0, 2), ...unproven.slice(0, 2)])];
        const rest = [...proven, ...unproven].filter((entry) => !first.includes(entry));
        return open([...first, ...rotate(key, rest, perPacket.few - first.length)], perPacket.few);
      },
    };
  }

  return {
    of,
    remember(key: string, { id }: Pick<Nas, 'id'>): void {
      const sender = senders.get(key) ?? { recent: [], next: 0 };
      if (sender.recent[0] === id) return;
      const recent = [id, ...sender.recent.filter((other) => other !== id)].slice(0, maxRecent);
      senders.set(key, { ...sender, recent });
    },
  };
}

export function fieldOf(entries: readonly Entry[]): Field {
  const time = (at: Date | null) => at?.getTime() ?? 0;
  return {
    proven: entries.filter((entry) => entry.provenAt).toSorted((a, b) => time(a.provenAt) - time(b.provenAt)),
    unproven: entries.filter((entry) => !entry.provenAt).toSorted((a, b) => time(b.savedAt) - time(a.savedAt)),
  };
}

/** Omits unproven clients saved before `since`. */
export function withoutLapsed({ proven, unproven }: Field, since: Date): Field {
  const end = unproven.findIndex(({ savedAt }) => savedAt <= since);
  return { proven, unproven: end === -1 ? unproven : unproven.slice(0, end) };
}
