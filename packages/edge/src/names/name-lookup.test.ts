import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AddressMemory } from './address-memory.ts';
import { askServer, rankOf } from './dns-query.ts';
import { NameLookup, type NameLookupOptions } from './name-lookup.ts';

let folder: string;
let sockets: (Socket | Server)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-names-'));
});

afterEach(async () => {
  await Promise.all(sockets.map((one) => new Promise<void>((done) => one.close(() => done()))));
  sockets = [];
  rmSync(folder, { recursive: true, force: true });
});

async function dnsServer(code: number | null): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (query, { port, address }) => {
    if (code === null) return;
    const end = query.indexOf(0, 12) + 5;
    const wantsV4 = query.readUInt16BE(end - 4) === 1 && code === 0;
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, wantsV4 ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    const answer = Buffer.concat([head, query.subarray(12, end), ...(wantsV4 ? [record] : [])]);
    socket.send(answer, port, address);
  });
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready));
  return `127.0.0.1:${socket.address().port}`;
}

const failing = () => Promise.reject(new Error('EAI_AGAIN'));
const memory = () => new AddressMemory(join(folder, 'address.json'));
const lookupOf = (options: Partial<NameLookupOptions>) =>
  new NameLookup({ memory: memory(), servers: () => [], system: failing, ...options });

describe('a name', () => {
  it("is the system resolver's when that knows it; no server of a WAN is asked", async () => {
    const system = async () => [{ address: '192.0.2.7', family: 4 }];
    const ask = () => Promise.reject(new Error('not asked'));
    const servers = () => [{ address: '127.0.0.1', from: null }];
    expect(await lookupOf({ system, servers, ask }).resolve('console.example')).toEqual([
      { address: '192.0.2.7', family: 4 },
    ]);
  });

  it("is asked of the WANs' servers when the system fails, and a silent one delays nothing", async () => {
    const [silent, good] = [await dnsServer(null), await dnsServer(0)];
    let failures = 0;
    const names = lookupOf({
      servers: () => [silent, good].map((address) => ({ address, from: '127.0.0.1' })),
      systemFailed: () => {
        failures += 1;
      },
    });
    expect(await names.resolve('console.example')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(failures).toBe(1);
  });

  it('does not wait for a system resolver that hangs', async () => {
    const good = await dnsServer(0);
    let asked = 0;
    const system = () => {
      asked += 1;
      return new Promise<never>(() => {});
    };
    const names = lookupOf({ system, servers: () => [{ address: good, from: null }] });
    const found = await Promise.all([names.resolve('console.example'), names.resolve('console.example')]);
    expect(found.flat()).toHaveLength(2);
    expect(asked).toBe(1);
  });

  it('is where it was last when nothing answers, also after a restart', async () => {
    memory().remember('console.example', '192.0.2.9');
    expect(await lookupOf({}).resolve('console.example')).toEqual([{ address: '192.0.2.9', family: 4 }]);
    await expect(lookupOf({}).resolve('other.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('leads a connection of node:net', async () => {
    const server = createServer((socket) => socket.end());
    sockets.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const good = await dnsServer(0);
    const { lookup } = lookupOf({ servers: () => [{ address: good, from: null }] });
    const socket = connect({ host: 'console.example', port: address.port, lookup });
    await new Promise<void>((ready, failed) => socket.once('connect', ready).once('error', failed));
    socket.destroy();
  });
});

describe('an answer of a DNS server', () => {
  it.each([
    [0, 2],
    [2, 1],
    [3, 2],
    [5, 1],
    [null, 0],
  ] as const)('with code %s has rank %s', async (code, rank) => {
    const address = await dnsServer(code);
    const [named, root] = await Promise.all([
      askServer({ address, from: null }, 'console.example'),
      askServer({ address, from: null }, null),
    ]);
    expect([rankOf(named), rankOf(root)]).toEqual([rank, rank]);
  });

  it('of a closed port has rank 0', async () => {
    expect(rankOf(await askServer({ address: '127.0.0.1:9', from: null }, 'console.example'))).toBe(0);
  });
});
