import { createServer } from 'node:https';
import { join } from 'node:path';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { createSealer, loadMasterKey } from '../../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../../packages/server/src/platform/database/index.ts';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { loadAuthority } from '../../packages/server/src/uplink/index.ts';

/** Simplest alternative: the same TLS and WebSocket, one INSERT of JSON per report, ten connections. */
const { BENCH_DATA: dataDir = '', BENCH_PORT: port, BENCH_URL: url = '' } = process.env;

const masterKey = loadMasterKey(join(dataDir, 'master.key'));
const owner = { connectionString: url };
const database = await openDatabase({ owner, masterKey, log: silentLog(), poolSize: 1 });
const { certificate: ca, server: tls } = await loadAuthority(
  database,
  createSealer(masterKey),
  'localhost',
  systemClock,
);
await database.close();

const pool = new pg.Pool({ ...owner, max: 10 });
await pool.query('create table peer_report (serial text not null, at timestamptz not null, report jsonb not null)');
await pool.query('create index on peer_report (serial, at)');

let taken = 0;
let latencies: number[] = [];
const server = createServer({ key: tls.key, cert: tls.certificate, ca, requestCert: true });
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  let last = Promise.resolve();
  socket.on('message', (data: Buffer) => {
    const began = performance.now();
    const { method, params } = JSON.parse(data.toString()) as { method: string; params: { serial: string } };
    if (method !== 'state') return;
    last = last.then(async () => {
      await pool.query({
        name: 'report',
        text: 'insert into peer_report (serial, at, report) values ($1, now(), $2)',
        values: [params.serial, JSON.stringify(params)],
      });
      taken += 1;
      latencies.push(performance.now() - began);
    });
  });
});
server.listen(Number(port), '127.0.0.1', () => process.send?.({ ready: true }));
process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
  process.send?.({ taken, latencies });
  latencies = [];
});
