import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { GuestGate } from '../packages/server/src/features/radius/guest-gate.ts';
import { createRadius } from '../packages/server/src/features/radius/index.ts';
import { secretContext } from '../packages/server/src/features/radius/nas-index.ts';
import { createLocalBus } from '../packages/server/src/platform/bus/index.ts';
import { systemClock } from '../packages/server/src/platform/clock.ts';
import { createAccountKeys } from '../packages/server/src/platform/crypto/account-keys.ts';
import { createSealer } from '../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../packages/server/src/platform/database/index.ts';
import { silentLog } from '../packages/server/src/platform/log.ts';
import { createMetrics } from '../packages/server/src/platform/metrics.ts';
import { startDatabase } from './lib/database.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startFreeradius } from './radius/freeradius.ts';
import { type Kind, parallel, requests, run, secret } from './radius/load.ts';
import { type Figure, record } from './results.ts';

/** `npx tsx bench/radius.ts`: our server beside Debian's FreeRADIUS, asked by radclient. */

const budget = 5000;
/** Answers include the database; the portal decides in memory. */
const gate: GuestGate = {
  async redeem(_, { username, proves }) {
    const limits = { minutes: 60, times_per_day: 0, up_kbps: 512, down_kbps: 2048, devices: 1 };
    return proves('one-time') ? { sessionId: username, limits, secondsLeft: 3600, maxBytes: 0 } : 'unknown_user';
  },
  account: async () => undefined,
};

const folder = makeFolder();
const postgres = await startDatabase(folder);
const [authPort = 0, acctPort = 0] = await freePorts(2);
try {
  const masterKey = Buffer.alloc(32, 'radius bench');
  const log = silentLog();
  const database = await openDatabase({ owner: { connectionString: postgres.url }, masterKey, log });
  const [accountId, id, gwid] = [randomUUID(), randomUUID(), randomUUID()];
  const keys = createAccountKeys(createSealer(masterKey));
  await database.systemPool.query(
    "insert into account (account_id, name, binding_code) values ($1, 'Bench', 'bench')",
    [accountId],
  );
  await database.systemPool.query("insert into network (account_id, gwid, remark) values ($1, $2, 'Bench')", [
    accountId,
    gwid,
  ]);
  const sealed = await database.withSystem(async (tx) =>
    (await keys.of(tx, accountId)).seal(secret, secretContext(id)),
  );
  await database.systemPool.query(
    `insert into radius_nas (account_id, id, gwid, name, source, secret, coa_port, created_at, saved_at)
     values ($1, $2, $3, 'Bench', '127.0.0.1', $4, 3799, now(), now())`,
    [accountId, id, gwid, sealed],
  );
  const opened = { port: 0, isChosen: true };
  const radius = createRadius({
    database,
    keys,
    log,
    gate,
    clock: systemClock,
    metrics: createMetrics(),
    bus: createLocalBus(() => undefined),
    config: { host: '127.0.0.1', deviceHost: 'localhost', radiusAuthPort: opened, radiusAcctPort: opened },
  });
  await radius.load();
  await radius.open();
  const other = await startFreeradius(join(folder, 'freeradius'), { auth: authPort, acct: acctPort });
  const figures: Figure[] = [];
  for (const kind of ['PAP', 'CHAP', 'accounting'] as const satisfies readonly Kind[]) {
    const port = kind === 'accounting' ? 'acct' : 'auth';
    const file = join(folder, `${kind}.txt`);
    const theirs = await run(file, kind, port === 'acct' ? acctPort : authPort);
    const ours = await run(file, kind, radius.ports[port]!);
    figures.push(
      {
        what: `${kind}: embedded, per second; lost`,
        measured: `${ours.perSecond.toFixed(0)}; ${ours.lost}`,
        budget: `≥ ${budget}; 0`,
        holds: ours.perSecond >= budget && ours.lost === 0,
      },
      { what: `${kind}: FreeRADIUS, per second; lost`, measured: `${theirs.perSecond.toFixed(0)}; ${theirs.lost}` },
    );
  }
  await other.stop();
  await radius.close();
  await database.close();
  record('radius', figures, [
    `${requests} requests each, ${parallel} at a time, by radclient, whose start is included. The embedded server commits each accounting report before its answer; FreeRADIUS answers without writing. The portal behind the embedded server decides in memory.`,
  ]);
} finally {
  await postgres.stop();
  removeFolder(folder);
}
