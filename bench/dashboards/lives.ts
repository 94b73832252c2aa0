import { type FormerSsid, type PastDayOptions, type PlaceKind, pastDay, simulatedSerial } from '@yunxun/simulator';
import { addDays, dayOf, startOfDay } from '../../packages/server/src/platform/calendar.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Database } from '../../packages/server/src/platform/database/index.ts';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { createMetrics } from '../../packages/server/src/platform/metrics.ts';
import { createIngest } from '../../packages/server/src/telemetry/index.ts';
import {
  addText,
  countDay,
  noText,
  openPastWriter,
  type PastMessage,
} from '../../packages/server/src/telemetry/past/index.ts';
import { createRollups } from '../../packages/server/src/telemetry/rollups.ts';
import { expectDone, type Owner, post } from '../lib/client.ts';
import type { BenchDatabase } from '../lib/database.ts';
import { built } from '../lib/server.ts';

export interface LifeSums {
  serial: string;
  samples: number;
  bytes: number;
}

export interface Lived {
  gwid: string;
  serials: string[];
}

type Plan = Omit<PastDayOptions, 'fromMs' | 'untilMs' | 'fineFromMs'>;

const zone = 'Asia/Shanghai';
const aps = 8;
const ssids: readonly FormerSsid[] = [
  { name: 'Office', key: 'as it was before', vlan: null },
  { name: 'Guests', key: null, vlan: 20 },
];
const peoplePerAp = 20;
const kinds: readonly PlaceKind[] = ['hotel', 'office', 'shop'];
/** Milliseconds with a report every five minutes. */
const fineMs = 49 * 3_600_000;
const maxUnderWay = 1000;

/** Today's messages pass through ingest, earlier days are written as days. */
export async function live(options: {
  url: string;
  database: Database;
  owner: Owner;
  bench: BenchDatabase;
  networks: number;
  days: number;
}): Promise<{ lived: Lived[]; messages: number; sums: LifeSums[]; until: Date }> {
  const { url, database, owner, bench, networks, days } = options;
  const untilMs = Date.now();
  const today = dayOf(new Date(untilMs), zone);
  const plans: Plan[] = [];
  const lived: Lived[] = [];
  for (let at = 0; at < networks; at += 1) {
    const seed = `pattern ${at}`;
    const serials = Array.from({ length: aps + 2 }, (_, number) => simulatedSerial(seed, number));
    const { data } = await expectDone(
      post<{ gwid: string }>(url, '/api/v3/network/create', { remark: `Pattern-${at}` }, owner.token),
    );
    await enter(bench, owner.accountId, data.gwid, serials);
    lived.push({ gwid: data.gwid, serials });
    plans.push({
      seed,
      aps,
      gateways: 1,
      switches: 1,
      peoplePerAp,
      hoursEast: 8,
      ssids,
      kind: kinds[at % kinds.length],
    });
  }
  const fineFromMs = untilMs - fineMs;
  const fromMs = startOfDay(today, zone).getTime();
  const now = plans.map((plan) => pastDay({ ...plan, fromMs, untilMs, lastMs: untilMs, fineFromMs }));
  let messages = await ingest(database, owner.accountId, now);
  const rollups = createRollups({ database, clock: systemClock });
  await rollups.run();
  const writer = await openPastWriter(database.systemConnection, (error) => {
    throw error;
  });
  try {
    const equipment = await writer.equipment(owner.accountId);
    for (let ago = 1; ago < days; ago += 1) {
      const day = addDays(today, -ago);
      const span = { fromMs: startOfDay(day, zone).getTime(), untilMs: startOfDay(addDays(day, 1), zone).getTime() };
      const site = {
        accountId: owner.accountId,
        fromMs: span.fromMs,
        goesOn: false,
        quarters: ago < writer.quarterDays,
      };
      const text = noText();
      for (const plan of plans) {
        const reported = counted(pastDay({ ...plan, ...span, fineFromMs }), (count) => {
          messages += count;
        });
        addText(text, (await countDay({ ...site, ...equipment }, reported)).rows);
      }
      await writer.write({ day, zone, accountIds: [owner.accountId], now: new Date() }, text);
    }
  } finally {
    await writer.close();
  }
  await rollups.run();
  const closed = await bench.owner.query<{ until: Date }>(
    `select until from platform.rollup_progress where name = 'rollup_device_1h'`,
  );
  const { until } = closed.rows[0]!;
  const { rows } = await bench.owner.query<LifeSums>(
    `select serial, count(*)::int as samples,
       sum(wan_down + wan_up + down_2g + up_2g + down_5g + up_5g + down_6g + up_6g)::float8 as bytes
     from device_sample where account_id = $1 and at < $2 group by serial`,
    [owner.accountId, until],
  );
  return { lived, messages, sums: rows, until };
}

function* counted(
  moments: Iterable<readonly PastMessage[]>,
  add: (count: number) => void,
): Generator<readonly PastMessage[]> {
  for (const moment of moments) {
    add(moment.length);
    yield moment;
  }
}

/** @returns messages */
async function ingest(
  database: Database,
  accountId: string,
  lives: readonly Iterable<readonly PastMessage[]>[],
): Promise<number> {
  const worker = built('telemetry/ingest/worker.js');
  const to = createIngest({ database, worker, metrics: createMetrics(), log: silentLog() });
  const underWay = new Set<Promise<unknown>>();
  let count = 0;
  try {
    for (const life of lives) {
      for (const { serial, at, method, params } of [...life].flat()) {
        const of = { epoch: 1, at: new Date(at) };
        const ref = { accountId, serial };
        const frame = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }));
        const taken = method === 'state' ? to.state(ref, frame, of) : to.event(ref, params, of);
        if (!taken) continue;
        count += 1;
        underWay.add(taken);
        void taken.then(() => underWay.delete(taken));
        if (underWay.size >= maxUnderWay) await Promise.race(underWay);
      }
    }
    await to.drain();
  } finally {
    await to.stop(0);
  }
  return count;
}

async function enter({ owner }: BenchDatabase, accountId: string, gwid: string, serials: readonly string[]) {
  await owner.query(
    `with entered as (insert into serial_directory (serial, account_id, enrolled_at)
       select serial, $1, now() from unnest($3::text[]) serial)
     insert into device (confirmed, account_id, serial, gwid, kind, routes, remark, model, compatible, platform, bound_at, first_seen)
     select true, $1, serial, $2, case d when 1 then 'gateway' when 2 then 'switch' else 'ap' end, d = 1, serial, 'EAP101', 'edgecore',
       case d when 1 then 'olg' when 2 then 'switch' else 'ap' end, now(), now()
     from unnest($3::text[]) with ordinality as u (serial, d)`,
    [accountId, gwid, serials],
  );
  await owner.query('update network set gateway_serial = $3 where account_id = $1 and gwid = $2', [
    accountId,
    gwid,
    serials[0],
  ]);
}
