import fc from 'fast-check';

/** What becomes of a message on its way: it comes, is lost (or shed), comes twice, after what was said later, or now and then again. */
export type Fate = 'comes' | 'lost' | 'twice' | 'late' | 'again';

/** A stay of a terminal at one BSS. Times in seconds; `after` the end of the stay before, 0 is a roam. */
export interface Stay {
  after: number;
  bss: number;
  length: number;
  join: Fate;
  leave: Fate;
  /** Seconds until the captive portal lets it through, and until it signs out; null: never. */
  authAfter: number | null;
  signsOutAfter: number | null;
}

export interface TerminalPlan {
  /** Its address is one that it made up. */
  random: boolean;
  /** By its host name; null: it says nothing. */
  type: 'ios' | 'android' | 'mac' | 'windows' | null;
  /** Bytes a second to and from it. */
  down: number;
  up: number;
  stays: Stay[];
}

/**
 * A terminal on a cable of an access point; one that is before it, or beside it, may see it on its cables too. It may be
 * carried to another one, in its network or not, `after` seconds.
 */
export interface WiredPlan {
  device: number;
  seenBy: number | null;
  from: number;
  to: number;
  moves: { after: number; device: number } | null;
}

/** The access point is away: its uplink is cut, or it starts anew and forgets everything. */
export interface Outage {
  from: number;
  length: number;
  restarts: boolean;
}

export interface DevicePlan {
  /** Seconds that it has run before the hour. */
  uptime: number;
  /** Bytes a second of its own, down and up. */
  own: [number, number];
  /** What becomes of its reports, one after the other, from the beginning again when they are through. */
  fates: Fate[];
  outages: Outage[];
  /** A wireless network of it is made anew, its counter with it. */
  reset: { at: number; bss: number } | null;
  /** A wireless network of it is missing in reports for a while, though it is on the air. */
  hidden: { from: number; to: number; bss: number } | null;
}

/** Everything that happens in an hour. */
export interface Plan {
  devices: DevicePlan[];
  terminals: TerminalPlan[];
  wired: WiredPlan[];
}

/** Seconds of the hour. */
export const hour = 3600;
/** Access points. */
export const deviceCount = 4;
/** The network of an access point: the first two make one, the others another. */
export const networkOf = (device: number): number => (device < 2 ? 0 : 1);
/** BSS of each access point: 2.4, 5 and 6 GHz. */
export const bands = [2, 5, 6] as const;

const grid = (least: number, most: number) => fc.integer({ min: least / 5, max: most / 5 }).map((n) => n * 5);
const fate = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Fate>('comes') },
  { weight: 2, arbitrary: fc.constantFrom<Fate>('lost', 'twice', 'late', 'again') },
);

const stay: fc.Arbitrary<Stay> = fc.record({
  after: fc.oneof(fc.constant(0), grid(10, 900)),
  bss: fc.integer({ min: 0, max: deviceCount * bands.length - 1 }),
  length: grid(5, 1500),
  join: fate,
  leave: fate,
  authAfter: fc.option(grid(5, 300)),
  signsOutAfter: fc.option(grid(60, 600)),
});

const terminal: fc.Arbitrary<TerminalPlan> = fc.record({
  random: fc.boolean(),
  type: fc.constantFrom('ios', 'android', 'mac', 'windows', null),
  down: fc.integer({ min: 0, max: 8000 }),
  up: fc.integer({ min: 0, max: 2000 }),
  stays: fc.array(stay, { minLength: 1, maxLength: 12, size: 'max' }),
});

const device: fc.Arbitrary<DevicePlan> = fc.record({
  uptime: fc.integer({ min: 7200, max: 3_000_000 }),
  own: fc.tuple(fc.integer({ min: 1_500_000, max: 2_000_000 }), fc.integer({ min: 0, max: 100_000 })),
  fates: fc.array(fate, { minLength: 20, maxLength: 60, size: 'max' }),
  outages: fc
    .array(fc.record({ from: grid(120, 3000), length: grid(30, 420), restarts: fc.boolean() }), { maxLength: 3 })
    .map(apart),
  reset: fc.option(fc.record({ at: grid(60, 3500), bss: fc.integer({ min: 0, max: 2 }) })),
  hidden: fc.option(
    fc
      .record({ from: grid(60, 3000), length: grid(60, 240), bss: fc.integer({ min: 0, max: 2 }) })
      .map(({ from, length, bss }) => ({ from, to: from + length, bss })),
  ),
});

/** Outages one after the other, with time to come back between them. */
function apart(outages: Outage[]): Outage[] {
  const kept: Outage[] = [];
  for (const outage of outages.toSorted((a, b) => a.from - b.from)) {
    const last = kept.at(-1);
    if (!last || outage.from >= last.from + last.length + 150) kept.push(outage);
  }
  return kept;
}

/** An hour of simulated life. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  devices: fc.array(device, { minLength: deviceCount, maxLength: deviceCount }),
  terminals: fc.array(terminal, { minLength: 30, maxLength: 40, size: 'max' }),
  wired: fc.array(
    fc.record({
      ...{ device: fc.integer({ min: 0, max: deviceCount - 1 }), from: grid(0, 3000), to: grid(600, 5000) },
      seenBy: fc.option(fc.integer({ min: 0, max: deviceCount - 1 }), { freq: 4 }),
      moves: fc.option(fc.record({ after: grid(60, 1500), device: fc.integer({ min: 0, max: deviceCount - 1 }) }), {
        freq: 4,
      }),
    }),
    { minLength: 3, maxLength: 8, size: 'max' },
  ),
});
