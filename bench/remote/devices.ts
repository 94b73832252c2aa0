import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { edgeToolMethod } from '@yunxun/contract/device';
import { makeAuthority } from '../../packages/server/src/uplink/certificates.ts';
import { BenchDevice, type Command, connectParams, enrol, serialOf } from '../lib/device.ts';
import { inParallel, pause } from '../lib/stats.ts';
import { joinAsAgent, joinByRtty, type Shell } from './doubles.ts';
import { fileBytes, filePath, sitePage } from './site.ts';

export interface Place {
  bindingCode: string;
  gwid: string;
  aps: number;
  gateways: number;
}

export interface Setup {
  url: string;
  places: readonly Place[];
  /** Number of the first serial. */
  first: number;
}

export interface Ready {
  /** By place: access points, then gateways. */
  serials: string[][];
  /** Echoes over TLS. */
  echoPort: number;
  sitePort: number;
}

/** `rate`: bytes a second of all shells of agents together; `print`: bytes of each shell. */
type Wanted = { setup: Setup } | { rate: number } | { print: number };

const tickMs = 2;
/** A minute of silence disconnects. */
const pingEvery = 20_000;
const piece = Buffer.from(randomBytes(12 * 1024).toString('base64'));
/** Bytes that a program may have written into a terminal that is not read. */
const maxUnsent = 256 * 1024;

const shells = new Set<Shell>();
const capabilities = {
  ...connectParams.capabilities,
  platform: 'olg',
  compatible: 'yunxun_edge',
  yunxun: {
    agent: '1.0.0',
    abilities: { tools: true, watch: true, remote: true },
    missing: [],
    allowed: { reboot: true },
    remote: { shell: true },
  },
};
let rate = 0;
let site = 0;

process.on('message', (wanted: Wanted) => {
  if ('setup' in wanted) void setUp(wanted.setup).then((ready) => process.send?.(ready));
  else if ('rate' in wanted) rate = wanted.rate;
  else void print(wanted.print).then(() => process.send?.({ printed: true }));
});

async function setUp({ url, places, first }: Setup): Promise<Ready> {
  const { key, certificate: cert } = await makeAuthority(new Date());
  const echo = createTls({ key, cert, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  const file = randomBytes(fileBytes);
  const pages = createServer((request, response) => {
    if (request.url === filePath) {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': fileBytes });
      response.end(file);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(sitePage);
  });
  site = await listen(pages);
  const wanted = places.flatMap(({ aps, gateways, ...place }, at) =>
    Array.from({ length: aps + gateways }, (_none, n) => ({ ...place, at, isGateway: n >= aps })),
  );
  const devices = await inParallel(wanted, 8, async ({ bindingCode, gwid, isGateway }, at) => {
    const identity = await enrol(url, bindingCode, serialOf(first + at), gwid, isGateway ? 'olg' : 'ap');
    const device = await BenchDevice.open(identity);
    device.onCommand = (command) => obey(device, command);
    device.notify('connect', isGateway ? { ...connectParams, capabilities } : connectParams);
    return device;
  });
  const serials = places.map((_place, of) =>
    devices.filter((_device, at) => wanted[at]!.at === of).map(({ identity }) => identity.serial),
  );
  setInterval(() => {
    for (const device of devices) device.ping();
  }, pingEvery);
  stream();
  return { serials, echoPort: await listen(echo), sitePort: site };
}

function obey(device: BenchDevice, { id, method, params }: Command): void {
  device.reply(id, { status: { error: 0, text: 'Success' }, spentMs: 0 });
  const asked = { port: Number(params.port), token: String(params.token) };
  if (method === 'rtty') void joinByRtty(device.identity, { ...asked, id: String(params.id) }, shells);
  else if (method === edgeToolMethod && params.tool === 'remote')
    void joinAsAgent(device.identity, { ...asked, id: String(params.session) }, site, shells);
}

/** One shell after the other: what is under way would count as kept. */
async function print(bytes: number): Promise<void> {
  for (const shell of shells) {
    for (let left = bytes; left > 0; left -= piece.length) shell.print(piece);
    await pause(tickMs);
  }
}

/** In turn, so that no two shells print at once. */
function stream(): void {
  let last = performance.now();
  let owed = 0;
  let next = 0;
  setInterval(() => {
    const now = performance.now();
    owed = Math.min(owed + (rate * (now - last)) / 1000, rate / 10);
    last = now;
    const agents = [...shells].filter(({ kind }) => kind === 'agent');
    for (let turn = agents.length * 16; owed >= piece.length && turn > 0; owed -= piece.length, turn -= 1) {
      next = (next + 1) % agents.length;
      const shell = agents[next]!;
      if (shell.unsent < maxUnsent) shell.print(piece);
    }
  }, tickMs);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
