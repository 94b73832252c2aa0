import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../../src/platform/clock.ts';
import { createRollups } from '../../../src/telemetry/rollups.ts';
import { startTestServer, type TestServer } from '../../server.ts';
import { endDevices } from '../device-client.ts';
import { Delivery } from './delivery.ts';
import { bands, hour, networkOf, plan } from './plan.ts';
import { look, type Shown } from './screens.ts';
import { midnight, truthOf } from './truth.ts';
import { cablesOf, World } from './world.ts';

/** 23:30 in Shanghai, in the past: TLS uses the machine's clock. */
const dayMs = 86_400_000;
const evening = 15.5 * 3_600_000;
const begin = Math.floor((Date.now() - 3 * 3_600_000 - evening) / dayMs) * dayMs + evening;

let server: TestServer | null = null;
afterEach(async () => {
  await endDevices();
  await server?.stop();
  server = null;
});

const pick = (shown: Shown, keys: (keyof Shown)[]) => Object.fromEntries(keys.map((key) => [key, shown[key]]));

/** `npm run test:long` runs all three; each takes half a minute. */
const all = [1, 2, 3];
const seeds =
  process.env.YUNXUN_TRUTH_SEEDS?.split(',').map(Number) ?? (process.env.LONG_TESTS === '1' ? all : all.slice(0, 1));

test.each(seeds)(
  'an hour of simulated life, seed %i: the screens show what the delivered messages say, exactly',
  async (seed) => {
    const clock = new ManualClock(new Date(begin));
    const running = await startTestServer({ clock });
    server = running;
    const owner = await running.register();
    const [happens] = fc.sample(plan, { seed, numRuns: 1 });
    const world = new World(happens!, begin / 1000);
    const delivery = new Delivery(running, owner, clock, begin);
    await delivery.prepare();
    const compare = async (when: string) => {
      const now = (clock.now().getTime() - begin) / 1000;
      for (const gwid of [null, ...delivery.networks.map((network) => network.gwid)]) {
        const where = `${when}, ${gwid ? `network ${delivery.networks.findIndex((one) => one.gwid === gwid)}` : 'account'}`;
        const shown = await look({ server: running, owner, gwid, begin });
        const truth = truthOf(world, delivery, gwid, now);
        truth.series.splice(shown.series.length);
        // prints only differences
        const wrong = (Object.keys(truth) as (keyof Shown)[]).filter(
          (key) => !isDeepStrictEqual(shown[key], truth[key]),
        );
        expect({ where, ...pick(shown, wrong) }).toEqual({ where, ...pick(truth, wrong) });
      }
      return look({ server: running, owner, gwid: null, begin });
    };
    let since = 0;
    for (const until of [600, midnight - 7, midnight + 100, 2700, hour]) {
      await delivery.live(world, since, until);
      since = until;
      await delivery.settled();
      // expected by the list query (telemetry/read/stations.ts)
      const { rows: behind } = await running.db.database.systemPool.query(
        `select o.mac from station_open o left join station s using (account_id, mac)
         where s.last_seen is null or s.last_seen < o.last_at`,
      );
      expect({ until, behind }).toEqual({ until, behind: [] });
      await compare(`second ${until}`);
      await createRollups({ database: running.db.database, clock }).run();
      const rolled = await compare(`second ${until}, rolled up`);
      // five-minute buckets close some seconds late
      expect(rolled.series).toHaveLength(Math.floor((until - 5) / 300));
    }
    await delivery.end();
    await compare('all are away');
  },
  600_000,
);

test('in these hours terminals roam between networks, and are carried from one cable to another', () => {
  const plans = all.flatMap((seed) => fc.sample(plan, { seed, numRuns: 1 }));
  const at = (bss: number) => networkOf(Math.floor(bss / bands.length));
  const roams = plans
    .flatMap(({ terminals }) => terminals)
    .flatMap(({ sessions }) =>
      sessions.slice(1).filter(({ after, bss }, n) => after === 0 && at(bss) !== at(sessions[n]!.bss)),
    );
  const carried = plans
    .flatMap(({ wired }) => wired)
    .filter((wired) => cablesOf(wired).some(({ from }) => from > wired.from));
  expect([roams.length > 20, carried.length > 2]).toEqual([true, true]);
});
