import fc from 'fast-check';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { BusAway } from '../../platform/bus/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type DeviceCommands, DeviceOffline } from '../../uplink/index.ts';
import type { BatchRunner, Job, JobItem, Outcome } from '../jobs/service.ts';
import { isFinal } from '../jobs/status.ts';
import { ConfigSession } from './config-session.ts';
import { createPlanner } from './planner.ts';
import { createPush } from './push.ts';
import { reported } from './transitions.ts';

/** Discards writes; the test triggers delayed checks. */
const nowhere = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}) as Tx;

const fates = [
  'answers',
  'is away',
  'bus goes away',
  'loses the answer',
  'loses the document',
  'program dies before',
  'program dies after',
] as const;
type Fate = (typeof fates)[number];

type Move =
  | {
      do: 'want';
      document: string;
      cause: 'wireless_saved' | 'template_pushed' | 'retry';
      made: 'now' | 'later';
      fate: Fate;
    }
  | { do: 'run'; which: number; fate: Fate }
  | { do: 'connect' }
  | { do: 'pass'; seconds: number }
  | { do: 'upgrade' };

const documents = ['a', 'b', 'c', 'refused'] as const;
const fate = fc.constantFrom<Fate>('answers', ...fates);
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('want' as const),
        document: fc.constantFrom(...documents),
        cause: fc.constantFrom('wireless_saved' as const, 'template_pushed' as const, 'retry' as const),
        made: fc.constantFrom('now' as const, 'later' as const),
        fate,
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const), which: fc.nat(9), fate }) },
    { weight: 1, arbitrary: fc.constant({ do: 'connect' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 40, 110, 900) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'upgrade' as const }) },
  ),
  { maxLength: 25 },
);

const accountId = 'account';
const serial = '9c0000000001';
const stops = new Error('the program stops');

function makeFixture() {
  const clock = { at: Date.parse('2026-03-02T08:00:00Z'), now: () => new Date(clock.at) };
  const device = {
    accountId,
    serial,
    gwid: null,
    groupId: null,
    name: 'AP',
    model: 'M',
    kind: 'ap' as const,
    routes: false,
    behindGateway: false,
    leftAlone: false,
    bridgeLan: false,
    // switches push without a report
    confirmed: true,
    firmware: 'v1',
    capabilities: { platform: 'switch' },
    status: 'online' as const,
    onlineSince: clock.now(),
  };
  const bus = { publish: () => undefined } as never;
  const session = new ConfigSession({ keys: {} as never, clock, bus }, {} as never, accountId, {
    devices: [device],
    states: new Map(),
    versions: [],
  });
  // as if every transaction reread it
  session.close = async () => undefined;
  const wanted = { document: 'a' };
  const real = createPlanner({
    clock,
    bus,
    keys: {} as never,
    latestStates: async () => new Map(),
    blockedTerminals: async () => () => [],
    sdwanOf: async () => new Map(),
    shieldOf: async () => new Map(),
    captiveOf: async () => new Map(),
    guestGatesOf: async () => new Map(),
    passwords: async () => () => null,
  });
  const planner = {
    ...real,
    openSession: async () => session,
    compiler: async () => () => ({
      document: { unit: { name: wanted.document }, interfaces: [], metrics: {} },
      findings: [],
    }),
  };
  const box = { uuid: 1, runs: 'factory', given: [] as string[], fate: 'answers' as Fate };
  const commands: Pick<DeviceCommands, 'configure' | 'call'> = {
    async configure(key, { unit }, uuid) {
      if (box.fate === 'is away') throw new DeviceOffline(key, false);
      if (box.fate === 'bus goes away') throw new BusAway();
      if (box.fate === 'program dies before') throw stops;
      if (box.fate === 'loses the document') throw new DeviceOffline(key, true);
      expect(uuid).toBeGreaterThan(box.uuid);
      const { name } = unit as { name: string };
      box.given.push(name);
      const refused = name === 'refused' && device.firmware === 'v1';
      if (!refused) Object.assign(box, { uuid, runs: name });
      if (box.fate === 'loses the answer') throw new DeviceOffline(key, true);
      if (box.fate === 'program dies after') throw stops;
      return refused
        ? { outcome: 'rejected', rejected: ['no'], text: '' }
        : ({ outcome: 'applied', rejected: [] } as never);
    },
    async call() {
      if (box.fate !== 'answers') throw new DeviceOffline({ accountId, serial }, false);
      return { uuid: box.uuid } as never;
    },
  };
  let begin: BatchRunner = () => Promise.reject(new Error('no runner is registered'));
  createPush({
    clock,
    keys: {} as never,
    planner,
    commands,
    askForReport: () => undefined,
    database: { withSystem: <T>(work: (tx: Tx) => Promise<T>) => work(nowhere) } as never,
    jobs: {
      register: (_type, run) => {
        begin = (run as { begin: BatchRunner }).begin;
      },
      wake: async () => undefined,
      wakeAll: async (_account, [device]) => {
        for (const one of items) if (one.item.job_id !== device?.but) woken.add(one);
      },
    },
  });
  const items: { item: JobItem; outcome: Outcome | null }[] = [];
  const woken = new Set<(typeof items)[number]>();

  async function run(one: (typeof items)[number], how: Fate): Promise<void> {
    box.fate = how;
    woken.delete(one);
    const before = session.stateOf(serial).state;
    const [work] = await begin([one.item], { id: one.item.job_id, account_id: accountId, plan: null } as Job);
    one.outcome = await work!().catch((error: unknown) => {
      if (error !== stops && !(error instanceof BusAway)) throw error;
      return null;
    });
    holds(before);
  }

  function holds(before: ReturnType<ConfigSession['stateOf']>['state']): void {
    const { state } = session.stateOf(serial);
    expect(state.last_uuid).toBeGreaterThanOrEqual(before.last_uuid);
    expect(state.state === 'applying').toBe(state.sent_uuid !== null);
    if (state.state === 'in_sync') expect(state.desired_uuid).toBe(state.active_uuid);
    expect(state.sent_uuid === null).toBe(state.holder === null);
  }

  const isOpen = ({ outcome }: (typeof items)[number]) => outcome === null || !isFinal(outcome.status);
  const hasStep = (one: (typeof items)[number]) =>
    isOpen(one) && (one.outcome?.reason !== 'job.busy' || woken.has(one));

  return {
    box,
    items,
    session,
    wanted,
    isOpen,
    async make(move: Move): Promise<void> {
      if (move.do === 'want') {
        wanted.document = move.document;
        const reason = { cause: move.cause, author: 'me' };
        const job_id = `job-${items.length}`;
        const compiled = (await planner.compiler())();
        const detail =
          move.made === 'now'
            ? real.stage(session, device as never, compiled as never, reason, job_id)
            : { staging: 'later', ...reason };
        const item = { account_id: accountId, job_id, seq: 0, serial, detail } as never as JobItem;
        const one = { item, outcome: null };
        items.push(one);
        await run(one, move.fate);
      }
      const open = items.filter(isOpen);
      if (move.do === 'run' && open.length > 0) await run(open[move.which % open.length]!, move.fate);
      if (move.do === 'pass') clock.at += move.seconds * 1000;
      if (move.do === 'upgrade') device.firmware = 'v2';
      if (move.do === 'connect') {
        const { state, known } = session.stateOf(serial);
        if (known) session.put(serial, reported(state, box.uuid).state);
        for (const one of items) woken.add(one);
      }
    },
    async settle(): Promise<void> {
      for (let round = 0; items.some(isOpen); round += 1) {
        expect(round).toBeLessThan(20);
        clock.at += 1_000_000;
        for (const one of items) if (hasStep(one)) await run(one, 'answers');
      }
    },
  };
}

const refusedAgain: Move[] = [
  { do: 'want', document: 'refused', cause: 'wireless_saved', made: 'now', fate: 'answers' },
  { do: 'want', document: 'a', cause: 'wireless_saved', made: 'now', fate: 'program dies before' },
  { do: 'want', document: 'refused', cause: 'wireless_saved', made: 'now', fate: 'answers' },
];

/** A second item replaces a lost document, a third waits for it. */
const takenOver: Move[] = [
  { do: 'want', document: 'c', cause: 'wireless_saved', made: 'now', fate: 'loses the document' },
  { do: 'pass', seconds: 900 },
  { do: 'want', document: 'a', cause: 'wireless_saved', made: 'now', fate: 'program dies before' },
  { do: 'run', which: 0, fate: 'answers' },
  { do: 'want', document: 'c', cause: 'wireless_saved', made: 'now', fate: 'answers' },
];

const overtaken: Move[] = [
  { do: 'want', document: 'a', cause: 'wireless_saved', made: 'now', fate: 'loses the document' },
  { do: 'want', document: 'b', cause: 'wireless_saved', made: 'now', fate: 'answers' },
];

it('every item ends, and the device runs the last wanted document or has refused it', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const { make, settle, box, items, session, wanted } = makeFixture();
      for (const move of all) await make(move);
      await settle();
      expect(items.every(({ outcome }) => outcome !== null && isFinal(outcome.status))).toBe(true);
      const { state, known } = session.stateOf(serial);
      if (!known) return;
      expect(['in_sync', 'failed', 'drifted']).toContain(state.state);
      if (state.state === 'in_sync') expect(box).toMatchObject({ runs: wanted.document, uuid: state.active_uuid });
      if (state.state === 'failed') expect(wanted.document).toBe('refused');
    }),
    { numRuns: 500, examples: [[refusedAgain], [overtaken], [takenOver]] },
  );
});

it('where nothing is lost, a document goes out once for each time that another one was wanted', async () => {
  const anySteady = fc.array(fc.constantFrom(...documents), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anySteady, async (all) => {
      const { make, box, items } = makeFixture();
      const expected: string[] = [];
      let runs = 'factory';
      let failed = false;
      for (const document of all) {
        await make({ do: 'want', document, cause: 'wireless_saved', made: 'now', fate: 'answers' });
        const needless = document === 'refused' ? expected.includes(document) : document === runs && !failed;
        if (!needless) expected.push(document);
        failed = document === 'refused';
        if (!failed) runs = document;
      }
      expect(box.given).toEqual(expected);
      const applied = items.filter(({ outcome }) => outcome?.status === 'applied').length;
      expect(applied).toBe(expected.filter((document) => document !== 'refused').length);
    }),
  );
});

it('an item whose answer was lost, or whose program died, sends nothing again that the device runs by then', async () => {
  const lost = fc.constantFrom<Fate>('loses the answer', 'program dies after');
  await fc.assert(
    fc.asyncProperty(lost, fc.nat(3), async (how, runs) => {
      const { make, settle, box, items } = makeFixture();
      await make({ do: 'want', document: 'a', cause: 'template_pushed', made: 'later', fate: how });
      for (let at = 0; at < runs; at += 1) await make({ do: 'run', which: 0, fate: 'is away' });
      await settle();
      expect(box.given).toEqual(['a']);
      expect(items.map(({ outcome }) => outcome?.status)).toEqual(['applied']);
    }),
  );
});

it('a document that the bus did not take goes out at once when the bus is back', async () => {
  const { make, box, items } = makeFixture();
  await make({ do: 'want', document: 'a', cause: 'wireless_saved', made: 'now', fate: 'bus goes away' });
  expect(box.given).toEqual([]);
  await make({ do: 'run', which: 0, fate: 'answers' });
  expect(box.given).toEqual(['a']);
  expect(items.map(({ outcome }) => outcome?.status)).toEqual(['applied']);
});
