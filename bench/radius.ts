import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
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
import { guests, loads, parallel, requests, run, secret } from './radius/load.ts';
import { portalGate } from './radius/portal-gate.ts';
import { type Figure, record } from './results.ts';

/** `npx tsx bench/radius.ts`: our server with the portal behind it beside Debian's FreeRADIUS, asked by radclient. */

const budget = 5000;

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
  const bus = createLocalBus(() => undefined);
  database.announceBy((subject, message) => bus.publish(subject, message));
  const opened = { port: 0, isChosen: true };
  const radius = createRadius({
    database,
    keys,
    log,
    gate: await portalGate({ database, bus, keys, masterKey }, { accountId, gwid }),
    clock: systemClock,
    metrics: createMetrics(),
    bus,
    config: { host: '127.0.0.1', deviceHost: 'localhost', radiusAuthPort: opened, radiusAcctPort: opened },
  });
  await radius.load();
  await radius.open();
  const other = await startFreeradius(join(folder, 'freeradius'), { auth: authPort, acct: acctPort });
  const figures: Figure[] = [];
  const shown = [
    ['first', 'PAP, first try of an account'],
    ['PAP', 'PAP, once proved'],
    ['CHAP', 'CHAP, once proved'],
    ['start', 'accounting, starts'],
    ['interim', 'accounting, updates'],
  ] as const;
  for (const [kind, what] of shown) {
    const load = loads[kind];
    // as autovacuum does within a minute
    await postgres.owner.query('analyze portal_session, portal_member, radius_session');
    const file = join(folder, `${kind}.txt`);
    const theirs = await run(file, load, load.port === 'acct' ? acctPort : authPort);
    const ours = await run(file, load, radius.ports[load.port]!);
    const isMeasured = kind !== 'first' && kind !== 'start';
    figures.push(
      {
        what: `${what}: embedded, per second; lost`,
        measured: `${ours.perSecond.toFixed(0)}; ${ours.lost}`,
        ...(isMeasured
          ? { budget: `≥ ${budget}; 0`, holds: ours.perSecond >= budget && ours.lost === 0 }
          : { budget: '0 lost', holds: ours.lost === 0 }),
      },
      { what: `${what}: FreeRADIUS, per second; lost`, measured: `${theirs.perSecond.toFixed(0)}; ${theirs.lost}` },
    );
  }
  await other.stop();
  await radius.close();
  await database.close();
  record('radius', figures, [
    `Of ${guests} accounts: ${guests} requests of first tries and of starts, ${requests} of the others, ${parallel} at a time, by radclient, whose start is included. Behind the embedded server is the portal: a first try makes a session with all its limits; it commits each accounting report, to the session too, before its answer. FreeRADIUS has the accounts in its users file, and answers accounting without writing.`,
  ]);
} finally {
  await postgres.stop();
  removeFolder(folder);
}
