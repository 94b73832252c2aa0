import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { emptyLayout, type Layout } from '../measure/layout.ts';
import { checkAddress, checkedResolve } from './check-target.ts';
import { httpCheck } from './http-check.ts';
import { readTool } from './request.ts';
import { tcpCheck } from './tcp-check.ts';

const layout: Layout = {
  ...emptyLayout,
  interfaces: [
    { name: 'up0v0', location: '/interfaces/0', role: 'upstream', device: 'eth0', ports: [] },
    { name: 'down1v0', location: '/interfaces/1', role: 'downstream', device: 'yx-lan', ports: [] },
  ],
};
const own = [
  { device: 'lo', address: '127.0.0.1', cidr: '127.0.0.1/8' },
  { device: 'eth0', address: '192.168.100.2', cidr: '192.168.100.2/24' },
  { device: 'eth0', address: '2001:db8:1::2', cidr: '2001:db8:1::2/64' },
  { device: 'yx-lan', address: '192.168.1.1', cidr: '192.168.1.1/24' },
];
const bounds = { own, lans: new Set(['yx-lan']), console: ['198.51.100.7'] };

it('allows the Internet and hosts of own LANs alone', () => {
  expect(checkAddress('192.168.1.20', bounds)).toEqual({ address: '192.168.1.20', isLan: true });
  expect(checkAddress('223.5.5.5', bounds)).toEqual({ address: '223.5.5.5', isLan: false });
  expect(checkAddress('2400:3200::1', bounds)).toEqual({ address: '2400:3200::1', isLan: false });
  const refused = [
    ['own', '192.168.1.1', '192.168.100.2', '2001:db8:1::2'],
    ['loopback', '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'],
    ['link-local', '169.254.169.254', 'fe80::1'],
    ['no host', '192.168.1.255', '192.168.1.0', '224.0.0.1', '255.255.255.255', 'ff02::1'],
    ['private elsewhere', '192.168.100.1', '10.0.0.1', '172.16.3.4', '100.64.0.1', 'fd00::1', '2002:7f00:1::'],
    ['the console', '198.51.100.7'],
    ['not an address', '010.0.0.1', '0x7f.1', 'localhost', ''],
  ];
  for (const [what, ...addresses] of refused)
    for (const address of addresses) expect(checkAddress(address, bounds), `${what} ${address}`).toBeNull();
});

it('checks an address after resolution, and returns the one that it checked', async () => {
  const answers: Record<string, string[]> = {
    'console.example': ['198.51.100.7'],
    'site.example': ['127.0.0.1', '223.5.5.5'],
    'rebound.example': ['127.0.0.1'],
    'hidden.example': ['198.51.100.7'],
  };
  let asked = 0;
  const lookup: LookupFunction = (name, _options, done) => {
    asked += 1;
    const found = answers[name];
    if (found)
      done(
        null,
        found.map((address) => ({ address, family: 4 })),
      );
    else done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  };
  const resolve = checkedResolve({ layout, origins: ['https://console.example'], lookup, own, ipv4Only: false });
  expect(await resolve('site.example')).toEqual({ address: '223.5.5.5', isLan: false });
  expect(asked).toBe(2);
  await expect(resolve('rebound.example')).rejects.toMatchObject({ word: 'forbidden', address: '127.0.0.1' });
  await expect(resolve('hidden.example')).rejects.toMatchObject({ word: 'forbidden' });
  await expect(resolve('nothing.example')).rejects.toMatchObject({ word: 'not_found' });
});

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});
async function serve(answer: RequestListener): Promise<number> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const local = async () => ({ address: '127.0.0.1', isLan: true });

it('tells an open port from a closed one', async () => {
  const port = await serve(() => {});
  const asked = { target: 'site.example', port, from: null };
  expect(await tcpCheck(asked, local)).toEqual({ address: '127.0.0.1', ms: expect.any(Number), error: null });
  server?.close();
  await once(server!, 'close');
  expect(await tcpCheck(asked, local)).toEqual({ address: '127.0.0.1', ms: null, error: 'refused' });
});

it('asks by the name that was given, at the address that was checked', async () => {
  const hosts: unknown[] = [];
  const port = await serve(({ headers }, response) => {
    hosts.push(headers.host);
    response.end('hello');
  });
  const { steps, ...rest } = await httpCheck({ url: `http://site.example:${port}/a?b=1`, from: null }, local);
  expect(hosts).toEqual([`site.example:${port}`]);
  expect(steps).toMatchObject([{ status: 200, address: '127.0.0.1', tls_ms: null, error: null }]);
  expect(rest).toEqual({ certificate: null, bytes: 5, more: false });
});

it('stops a body at its limit', async () => {
  const chunk = Buffer.alloc(16 * 1024);
  const port = await serve((_request, response) => {
    const write = () => void response.write(chunk, () => setImmediate(write));
    write();
    response.on('error', () => {});
  });
  const { bytes, more, steps } = await httpCheck({ url: `http://site.example:${port}/`, from: null }, local);
  expect({ bytes, more, error: steps[0]?.error }).toEqual({ bytes: 64 * 1024, more: true, error: null });
});

it('follows five redirects, each to an address that it checks', async () => {
  let turns = 0;
  const port = await serve(({ url }, response) => {
    turns += 1;
    response.writeHead(302, { location: url === '/loop' ? '/loop' : `/${turns}` }).end();
  });
  const loop = await httpCheck({ url: `http://site.example:${port}/`, from: null }, local);
  expect(loop.steps.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302, 302]);
  expect(loop.more).toBe(true);
  const same = await httpCheck({ url: `http://site.example:${port}/loop`, from: null }, local);
  expect(same).toMatchObject({ more: true, steps: [{ status: 302 }] });
  server?.close();

  const away = await serve((_request, response) => {
    response.writeHead(301, { location: 'http://127.0.0.1/admin' }).end();
  });
  const checked = checkedResolve({ layout, origins: [], own, ipv4Only: false });
  const { steps } = await httpCheck({ url: `http://site.example:${away}/`, from: null }, (host) =>
    host === 'site.example' ? local() : checked(host),
  );
  expect(steps).toMatchObject([{ status: 301 }, { status: null, address: '127.0.0.1', error: 'forbidden' }]);
});

it('says what is not TLS', async () => {
  const port = await serve((_request, response) => void response.end());
  const { steps, certificate } = await httpCheck({ url: `https://site.example:${port}/`, from: null }, local);
  expect(steps).toMatchObject([{ status: null, error: 'tls', connect_ms: expect.any(Number) }]);
  expect(certificate).toBeNull();
});

it('reads checks with their bounds', () => {
  const known = { layout, ports: { WAN1: 'eth0' }, origins: [] };
  expect(readTool({ tool: 'tcp_check', target: 'a.example', port: 22, place: 'WAN1' }, known)).toMatchObject({
    port: 22,
    device: 'eth0',
  });
  for (const wrong of [{ port: 0 }, { port: 70_000 }, { port: 22, target: '-x' }])
    expect(readTool({ tool: 'tcp_check', target: 'a.example', ...wrong }, known)).toHaveProperty('wrong');
  for (const url of ['ftp://a.example', 'http://u:p@a.example', '/etc/passwd', 7, undefined])
    expect(readTool({ tool: 'http_check', url }, known)).toHaveProperty('wrong');
});
