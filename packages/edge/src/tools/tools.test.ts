import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import type { ToolResult } from '../apply/step.ts';
import { emptyLayout } from '../measure/index.ts';
import { useTool } from './index.ts';
import { ping, traceroute } from './reachability.ts';
import { readTool } from './request.ts';
import { ownAddressIn } from './source.ts';
import { tcpPing } from './tcp-ping.ts';

const known = {
  layout: {
    ...emptyLayout,
    interfaces: [
      {
        name: 'up0v7',
        location: '/interfaces/0',
        role: 'upstream' as const,
        device: 'yx-v7',
        ports: [{ name: 'WAN2', device: 'eth1' }],
      },
    ],
  },
  ports: { WAN1: 'eth0', WAN2: 'eth1' },
  origins: ['https://console.example'],
};
const textOf = (stdout: string, code = 0, stderr = ''): ToolResult => ({ code, stdout, stderr });

it('reads a tool with the bounds of the box, and its line by the socket', () => {
  expect(readTool({ tool: 'ping', target: '192.0.2.1', count: 1000, place: 'WAN2' }, known)).toEqual({
    tool: 'ping',
    target: '192.0.2.1',
    count: 20,
    device: 'yx-v7',
  });
  expect(readTool({ tool: 'dns', target: 'example.com', server: '2001:db8::53', place: 'WAN1' }, known)).toMatchObject({
    server: '2001:db8::53',
    device: 'eth0',
  });
});

it('refuses what a program would take for an option, and addresses that are not of the console', () => {
  for (const target of ['-f', 'a b', 'a;b', '$(reboot)', '', 'a/b', 7])
    expect(readTool({ tool: 'ping', target }, known)).toHaveProperty('wrong');
  for (const uri of ['https://other.example/v1/speed/x', 'file:///etc/passwd', 'https://u@console.example/x', null])
    expect(readTool({ tool: 'speed', uri }, known)).toHaveProperty('wrong');
  expect(readTool({ tool: 'dns', target: 'example.com', server: 'example.com' }, known)).toHaveProperty('wrong');
  expect(readTool({ tool: 'ping', target: 'a', place: 'eth9' }, known)).toHaveProperty('wrong');
  expect(readTool({ tool: 'shell', target: 'a' }, known)).toHaveProperty('wrong');
});

it('traces the way with ping, and asks each hop for its time', async () => {
  const ran: string[] = [];
  const { output } = await traceroute(
    { target: '192.0.2.9', from: '198.51.100.2' },
    async (argv) => {
      ran.push(argv.join(' '));
      if (argv.at(-1) === '10.0.0.1') return textOf('64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=0.5 ms\n');
      const ttl = Number(argv[argv.indexOf('-t') + 1]);
      if (ttl === 1) return textOf('From 10.0.0.1 icmp_seq=1 Time to live exceeded\n', 1);
      if (ttl === 2) return textOf('1 packets transmitted, 0 received\n', 1);
      return textOf('64 bytes from 192.0.2.9: icmp_seq=1 ttl=62 time=3.25 ms\n');
    },
    (name) => `/usr/bin/${name}`,
    false,
  );
  expect(output).toBe(' 1  10.0.0.1  0.5 ms\n 2  *\n 3  192.0.2.9  3.25 ms\n');
  expect(ran[0]).toBe('ping -n -c 1 -W 2 -t 1 -I 198.51.100.2 192.0.2.9');
});

it('says which package is missing where a box has no program for it', async () => {
  const nothing = () => null;
  const run = async () => textOf('');
  expect((await ping({ target: 'a', count: 1, from: null }, run, nothing)).output).toContain('iputils-ping');
  expect((await traceroute({ target: 'a', from: null }, run, nothing)).output).toContain('iputils-ping');
});

it('reads a path test with its sources and its port', () => {
  const asked = { tool: 'path', target: '10.2.0.10', count: 3, sources: ['10.1.0.0/24'], port: 443 };
  expect(readTool(asked, known)).toEqual({ ...asked, device: null });
  for (const wrong of [{ target: 'a.example' }, { sources: ['eth0'] }, { port: 70_000 }, { port: 'ssh' }])
    expect(readTool({ ...asked, ...wrong }, known)).toHaveProperty('wrong');
});

it('takes the first own address inside a prefix as the source', () => {
  const own = ['127.0.0.1', '198.51.100.2', '10.1.0.1', '10.3.0.1'];
  expect(ownAddressIn(['10.9.0.0/24', '10.3.0.0/24', '10.1.0.0/24'], own)).toBe('10.3.0.1');
  expect(ownAddressIn(['10.9.0.0/24'], own)).toBeNull();
});

it('tries one TCP connection, and names the error', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = { tool: 'connect', target: '127.0.0.1', port };
  const options = { ...known, ca: [] };
  expect(await useTool(asked, options)).toMatchObject({ error: 0, tool: { connect: { error: null } } });
  // the system's resolver may have no servers
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
  expect(await useTool({ ...asked, target: 'portal.invalid' }, { ...options, lookup })).toMatchObject({
    tool: { connect: { error: null } },
  });
  server.close();
  await once(server, 'close');
  expect(await useTool(asked, options)).toMatchObject({ error: 0, tool: { connect: { error: 'ECONNREFUSED' } } });
  for (const wrong of [{ port: 0 }, { port: undefined }, { target: '-x' }])
    expect(await useTool({ ...asked, ...wrong }, options)).toMatchObject({ error: 2 });
});

it('connects to a TCP port from the source, and reports a closed one', async () => {
  const sources = new Set<string | undefined>();
  const server = createServer((socket) => {
    sources.add(socket.remoteAddress);
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = { target: '127.0.0.1', port, count: 2, from: '127.0.0.9' };
  expect((await tcpPing(asked)).output).toMatch(/2 packets transmitted, 2 received, 0% packet loss\nrtt .* = [\d.]+\//);
  expect([...sources]).toEqual(['127.0.0.9']);
  server.close();
  await once(server, 'close');
  expect((await tcpPing(asked)).output).toMatch(
    /ECONNREFUSED[\s\S]*2 packets transmitted, 0 received, 100% packet loss/,
  );
});
