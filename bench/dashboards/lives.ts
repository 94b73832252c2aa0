import { livePast, type PlaceKind, simulatedSerial } from '@yunxun/simulator';
import { addDays, dayOf, startOfDay } from '../../packages/server/src/platform/calendar.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Database } from '../../packages/server/src/platform/database/index.ts';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { createHistory, type HistoricReport } from '../../packages/server/src/telemetry/history.ts';
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

const zone = 'Asia/Shanghai';
const aps = 8;
const ssids = [
  { name: 'Office', open: false },
  { name: 'Guests', open: true },
];
const peoplePerAp = 20;
const kinds: readonly PlaceKind[] = ['hotel', 'office', 'shop'];

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
  const from = addDays(dayOf(new Date(untilMs), zone), 1 - days);
  const history = createHistory({
    database,
    from,
    clock: systemClock,
    log: silentLog(),
    signal: new AbortController().signal,
    worker: built('telemetry/ingest/worker.js'),
  });
  const lived: Lived[] = [];
  await history.open();
  try {
    const lives: Iterable<readonly HistoricReport[]>[] = [];
    for (let at = 0; at < networks; at += 1) {
      const seed = `pattern ${at}`;
      const serials = Array.from({ length: aps + 2 }, (_, number) => simulatedSerial(seed, number));
      const { data } = await expectDone(
        post<{ gwid: string }>(url, '/api/v3/network/create', { remark: `Pattern-${at}` }, owner.token),
      );
      await enter(bench, owner.accountId, data.gwid, serials);
      lived.push({ gwid: data.gwid, serials });
      lives.push(
        livePast({
          seed,
          aps,
          gateways: 1,
          switches: 1,
          peoplePerAp,
          hoursEast: 8,
          ssids,
          kind: kinds[at % kinds.length],
          fromMs: startOfDay(from, zone).getTime(),
          untilMs,
        }),
      );
    }
    const serials = lived.flatMap((network) => network.serials);
    const messages = await history.write(owner.accountId, serials, together(lives));
    await history.rollUp();
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
  } finally {
    await history.stop();
  }
}

/** Merges step by step: a minute of all devices needs few transactions. */
function* together(lives: readonly Iterable<readonly HistoricReport[]>[]): Generator<readonly HistoricReport[]> {
  const steps = lives.map((life) => life[Symbol.iterator]());
  for (;;) {
    const reported = steps.flatMap((step) => {
      const { value, done } = step.next();
      return done ? [] : [value];
    });
    if (reported.length === 0) return;
    yield reported.flat();
  }
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
