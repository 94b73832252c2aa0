import fc from 'fast-check';

export type Fate = 'comes' | 'lost' | 'twice' | 'late' | 'again';

/** Seconds; `after` the end of the previous one, 0 is a roam. */
export interface Session {
  after: number;
  bss: number;
  length: number;
  join: Fate;
  leave: Fate;
  /** Seconds until portal sign-in and sign-out; null: never. */
  authAfter: number | null;
  signsOutAfter: number | null;
}

export interface TerminalPlan {
  random: boolean;
  /** Detectable from the host name; null: none. */
  type: 'ios' | 'android' | 'mac' | 'windows' | null;
  down: number;
  up: number;
  sessions: Session[];
}

export interface WiredPlan {
  device: number;
  seenBy: number | null;
  from: number;
  to: number;
  moves: { after: number; device: number } | null;
}

export interface Outage {
  from: number;
  length: number;
  restarts: boolean;
}

export interface DevicePlan {
  /** Seconds of uptime before the hour. */
  uptime: number;
  own: [number, number];
  fates: Fate[];
  outages: Outage[];
  reset: { at: number; bss: number } | null;
  /** A BSS is missing in reports, though on the air. */
  hidden: { from: number; to: number; bss: number } | null;
}

export interface Plan {
  devices: DevicePlan[];
  terminals: TerminalPlan[];
  wired: WiredPlan[];
}

export const hour = 3600;
export const deviceCount = 4;
/** The first two access points form one network, the others another. */
export const networkOf = (device: number): number => (device < 2 ? 0 : 1);
export const bands = [2, 5, 6] as const;

const grid = (least: number, max: number) => fc.integer({ min: least / 5, max: max / 5 }).map((n) => n * 5);
const fate = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Fate>('comes') },
  { weight: 2, arbitrary: fc.constantFrom<Fate>('lost', 'twice', 'late', 'again') },
);

const session: fc.Arbitrary<Session> = fc.record({
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
  sessions: fc.array(session, { minLength: 1, maxLength: 12, size: 'max' }),
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

function apart(outages: Outage[]): Outage[] {
  const kept: Outage[] = [];
  for (const outage of outages.toSorted((a, b) => a.from - b.from)) {
    const last = kept.at(-1);
    if (!last || outage.from >= last.from + last.length + 150) kept.push(outage);
  }
  return kept;
}

export const plan: fc.Arbitrary<Plan> = fc.record({
  devices: fc.array(device, { minLength: deviceCount, maxLength: deviceCount }),
  terminals: fc.array(terminal, { minLength: 30, maxLength: 40, size: 'max' }),
  wired: fc.array(
    fc.record({
      device: fc.integer({ min: 0, max: deviceCount - 1 }),
      from: grid(0, 3000),
      to: grid(600, 5000),
      seenBy: fc.option(fc.integer({ min: 0, max: deviceCount - 1 }), { freq: 4 }),
      moves: fc.option(fc.record({ after: grid(60, 1500), device: fc.integer({ min: 0, max: deviceCount - 1 }) }), {
        freq: 4,
      }),
    }),
    { minLength: 3, maxLength: 8, size: 'max' },
  ),
});
