import { register } from './lib/client.ts';
import { startDatabase } from './lib/database.ts';
import { BenchDevice, enrol, serialOf } from './lib/device.ts';
import { howMeasured, measureEndpoint } from './lib/endpoints.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { megabytes, ms, pause, quantile } from './lib/stats.ts';
import { atMost, type Figure, record } from './results.ts';
import { seedCampus, size } from './topology/campus.ts';
import { drawTopology } from './topology/page.ts';

/** `npx tsx bench/topology.ts`: 502 devices and 1,500 clients, on the server and in Chromium. */

const folder = makeFolder();
const database = await startDatabase(folder);
try {
  const dataDir = makeFolder(folder);
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const server = await startServer({ dataDir, databaseUrl: database.url, httpPort, devicePort });
  try {
    const owner = await register(server.url, dataDir);
    const device = await BenchDevice.open(await enrol(server.url, owner.bindingCode, serialOf(1)));
    device.sayConnect();
    const gwid = await seedCampus(database.owner, owner.accountId, await nodeOf());
    const asker = { url: server.url, serverPid: server.pid, databasePid: database.pid };
    const asked = { name: 'topology/get', path: '/api/v3/topology/get', body: { gwid } };
    const figures: Figure[] = [await measureEndpoint(asker, `${size.terminals} terminals`, owner, asked)];
    const drawn = await drawTopology(server.url, `/topology/${gwid}`, owner.token);
    figures.push(
      { what: 'page: from its address to the first boxes', measured: ms(drawn.first) },
      atMost('page: all terminals shown, until a frame has some', drawn.unfolded, 500, ms),
      atMost('page: elements of the drawing while it is scrolled', drawn.elements, 2000, String),
      {
        what: 'page: between two frames while it is scrolled, p50 / p95 / most',
        measured: [quantile(drawn.frames, 0.5), quantile(drawn.frames, 0.95), Math.max(...drawn.frames)]
          .map(ms)
          .join(' / '),
        budget: '≤ 50 ms p95',
        holds: quantile(drawn.frames, 0.95) <= 50,
      },
      atMost('page: longest task', drawn.longest, 200, ms),
      atMost('page: memory of JavaScript', drawn.heap, 200e6, megabytes),
    );
    for (const { what, measured } of figures) console.log(what, measured);
    record('topology', figures, [
      `${howMeasured} The network: a gateway, a core, ${size.switches} switches, ${size.accessPoints} access points, ${size.terminals} terminals; everything is unfolded and scrolled from top to bottom, 120 pixels a frame.`,
    ]);
    device.socket.destroy();
  } finally {
    await server.stop();
  }
} finally {
  await database.stop();
  removeFolder(folder);
}

async function nodeOf(): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rows } = await database.owner.query<{ node: string }>('select node from device_link limit 1');
    if (rows[0]) return rows[0].node;
    await pause(100);
  }
  throw new Error('the session of a device is not in the table');
}
