import { spawnSync } from 'node:child_process';
import type { TestSession } from '@yunxun/edge/testing';
import { expect, it } from 'vitest';
import { long } from '../long.ts';
import { type LabDocument, type LabHost, smallGateway, startHost, type Word } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

let lab: Lab;
let host: LabHost;
let uuid = 100;

type Json = Record<string, unknown>;
type Ending = 'applied' | 'refused' | 'returned';

interface Variant {
  what: string;
  ends: Ending;
  /** Also in the gate; `npm run test:long` runs all. */
  gate?: true;
  document?: (document: LabDocument) => void;
  before?: () => Promise<unknown>;
  during?: () => Promise<unknown>;
  later?: () => Promise<unknown>;
  after?: () => Promise<unknown>;
}

const wan = (change: Json) => (document: LabDocument) => {
  const [line] = document.interfaces;
  document.interfaces[0] = { ...line, ipv4: { ...(line!.ipv4 as Json), ...change } };
};
const wrongGateway = wan({ gateway: '198.51.100.200' });
const newLan = (document: LabDocument) => {
  const lan = document.interfaces[1]!;
  document.interfaces[1] = {
    ...lan,
    ipv4: { ...(lan.ipv4 as Json), dhcp: { 'lease-first': 10 + (uuid % 50), 'lease-count': 9 } },
  };
};
const consoleGone = () => lab.run('net', 'ip', 'link', 'set', 'host', 'down');
const consoleBack = () => lab.run('net', 'ip', 'link', 'set', 'host', 'up');
/** Drops new sessions only: otherwise the host could confirm before the failure. */
const newSessions = {
  refused: () =>
    lab.run(
      'net',
      'nft',
      'add table ip shut; add chain ip shut forward { type filter hook forward priority 0; }; add rule ip shut forward oifname "host" tcp flags & (syn | ack) == syn drop',
    ),
  allowed: () => lab.run('net', 'nft', 'delete', 'table', 'ip', 'shut'),
};
const kernelHas = (text: string) =>
  expect.poll(() => lab.run('gw', 'sh', '-c', 'ip -br addr; ip route'), { interval: 20 }).toContain(text);
const agentPid = async () => {
  await expect.poll(() => host.pid(), { interval: 20 }).not.toBeNull();
  return String(host.pid() ?? '');
};
const kill = async (signal: string) => lab.run('gw', 'kill', `-${signal}`, await agentPid());
/** Probes report the only WAN down; it stays the default route. */
const wanIsLost = () =>
  expect
    .poll(async () => {
      const session = await host.session();
      const reported = session.messages.length;
      await session.command('request', { message: 'state', request_uuid: `${reported}` }, 20_000);
      const { params } = await session.message('state', reported);
      return (params as { state: { yunxun: { lines: { alive: boolean | null }[] } } }).state.yunxun.lines[0]?.alive;
    })
    .toBe(false);
const netOfConsole = () => lab.console!.replace(/\d+$/, '0/24');

/** Without VLANs the host refuses the wrong one. */
const canTag =
  spawnSync('unshare', ['-n', 'ip', 'link', 'add', 'link', 'lo', 'name', 'v', 'type', 'vlan', 'id', '2']).status === 0;

const variants = {
  address: [
    { what: 'an unreachable default gateway', ends: 'returned', gate: true, document: wrongGateway },
    {
      what: 'an address of another network',
      ends: 'returned',
      document: wan({ subnet: '192.168.77.2/24', gateway: '192.168.77.1' }),
    },
    {
      what: 'the address of the provider’s router',
      ends: 'returned',
      document: wan({ subnet: '198.51.100.1/24', gateway: '198.51.100.2' }),
    },
    {
      what: 'no DHCP server',
      ends: 'returned',
      document: wan({ addressing: 'dynamic', subnet: undefined, gateway: undefined }),
    },
    { what: 'no line at all', ends: 'refused', document: ({ interfaces }) => void interfaces.shift() },
    {
      // hosters give a /32, and a gateway outside of it
      what: 'a gateway outside of its network that is none',
      ends: 'returned',
      gate: true,
      document: wan({ gateway: '192.168.9.1' }),
    },
    {
      what: 'another address that is right',
      ends: 'applied',
      gate: true,
      document: wan({ subnet: '198.51.100.5/24' }),
    },
    {
      what: 'a probe without an answer',
      ends: 'applied',
      document: (document) => {
        const probe = { addresses: ['192.0.2.99'], every_s: 1, fails: 2, recovers: 2 };
        document['third-party'].yunxun.lines = [{ interface: 'WAN', probe }];
      },
      later: () => wanIsLost(),
    },
  ],
  path: [
    {
      what: 'a firewall of others that closes meanwhile',
      ends: 'returned',
      gate: true,
      document: newLan,
      // until the firewall is up: confirms too early otherwise
      before: newSessions.refused,
      during: () =>
        lab
          .run(
            'gw',
            'nft',
            'add table inet others; add chain inet others out { type filter hook output priority 0; policy drop; }; add rule inet others out oif lo accept',
          )
          .then(newSessions.allowed),
      after: () => lab.run('gw', 'nft', 'delete', 'table', 'inet', 'others'),
    },
    {
      what: 'a LAN in which the console’s address lies',
      ends: 'returned',
      document: ({ interfaces }) => {
        const subnet = lab.console!.replace(/\d+$/, '77/24');
        interfaces[1] = { ...interfaces[1], ipv4: { addressing: 'static', subnet } };
      },
    },
    {
      what: 'a route that leads the console’s address into the LAN',
      ends: 'returned',
      document: (document) => {
        document['third-party'].yunxun.routes = [{ to: netOfConsole(), via: '10.1.0.200' }];
      },
    },
    {
      what: 'a VLAN without other members',
      ends: canTag ? 'returned' : 'refused',
      document: ({ interfaces }) => {
        const ethernet = [{ 'select-ports': ['WAN1'], 'vlan-tag': 'tagged' }];
        interfaces[0] = { ...interfaces[0], vlan: { id: 20 }, ethernet };
      },
    },
    {
      what: 'a socket that no line is plugged into',
      ends: 'returned',
      document: ({ interfaces }) => {
        interfaces[0] = { ...interfaces[0], ethernet: [{ 'select-ports': ['LAN2'] }] };
      },
    },
    {
      what: 'a socket that serves twice',
      ends: 'refused',
      document: ({ interfaces }) => {
        interfaces[1] = { ...interfaces[1], ethernet: [{ 'select-ports': ['WAN1'] }] };
      },
    },
    { what: 'nothing wrong', ends: 'applied', gate: true, document: newLan },
  ],
  interruption: [
    {
      what: 'the console gone for as long as it takes',
      ends: 'returned',
      gate: true,
      document: newLan,
      before: newSessions.refused,
      during: consoleGone,
      after: () => consoleBack().then(newSessions.allowed),
    },
    {
      what: 'the line silent in the middle',
      ends: 'returned',
      document: wrongGateway,
      during: () => lab.wan(1, 'silent'),
      after: () => lab.wan(1, 'mended'),
    },
    {
      what: 'the cable pulled in the middle',
      ends: 'returned',
      document: wrongGateway,
      during: () => lab.wan(1, 'carrier'),
      after: () => lab.wan(1, 'mended'),
    },
    {
      what: 'kill -9 once the address is there',
      ends: 'returned',
      document: wan({ subnet: '198.51.100.66/24', gateway: '198.51.100.200' }),
      during: () => kernelHas('198.51.100.66').then(() => kill('KILL')),
    },
    {
      what: 'kill -9 once the route is there',
      ends: 'returned',
      gate: true,
      document: wrongGateway,
      during: () => kernelHas('via 198.51.100.200').then(() => kill('KILL')),
    },
    {
      what: 'kill -9 twice, the second time while it returns',
      ends: 'returned',
      document: wrongGateway,
      during: async () => {
        await kernelHas('via 198.51.100.200');
        const first = await agentPid();
        await kill('KILL');
        await expect.poll(agentPid, { interval: 20 }).not.toBe(first);
        await kill('KILL');
      },
    },
    {
      what: 'being told to end in the middle',
      ends: 'returned',
      document: wrongGateway,
      during: () => kernelHas('via 198.51.100.200').then(() => kill('TERM')),
    },
    {
      what: 'a device that is gone',
      ends: 'returned',
      document: ({ interfaces }) => {
        interfaces[1] = { ...interfaces[1], ethernet: [{ 'select-ports': ['LAN1', 'LAN2'] }] };
      },
      before: () => lab.run('gw', 'ip', 'link', 'set', 'lan2', 'name', 'away'),
      after: () => lab.run('gw', 'ip', 'link', 'set', 'away', 'name', 'lan2'),
    },
    {
      what: 'the console away for a moment',
      ends: 'applied',
      document: newLan,
      during: () => consoleGone().then(consoleBack),
    },
  ],
} satisfies Record<string, Variant[]>;

async function kernel(): Promise<string> {
  const text = await lab.run(
    'gw',
    'sh',
    '-c',
    'ip -br -4 addr; ip route show table all proto 201; ip rule; nft list ruleset; sysctl net.ipv4.ip_forward',
  );
  return text.replace(/packets \d+ bytes \d+/g, '').replace(/[ \t]+/g, ' ');
}

async function atRest(): Promise<string> {
  let seen = '';
  await expect
    .poll(
      async () => {
        const before = seen;
        seen = await kernel();
        return seen === before;
      },
      { interval: 500 },
    )
    .toBe(true);
  return seen;
}

const whole = (session: TestSession) =>
  session.messages.map(({ method, params }) => `${method} ${JSON.stringify(params)}`);

/** Returns the console's final result; null before. */
function word(of: number, id: number): Ending | null {
  const { sessions } = host.console;
  const reply = sessions.flatMap(({ replies }) => replies).find((one) => one.id === id)?.result as Word | undefined;
  if (reply?.status.error === 0 && reply.uuid === of) return 'applied';
  const texts = sessions.flatMap(whole);
  if (texts.some((text) => text.includes(`"unit.config-returned","payload":{"uuid":${of},`))) return 'returned';
  if (texts.some((text) => text.startsWith('connect ') && text.includes(`"uuid":${of},`))) return 'applied';
  return reply?.status.error === 2 && !host.log().includes(`configuration ${of} `) ? 'refused' : null;
}

/** Fails while a configuration is applied. Groups are files: many wait for the confirm window. */
export function cutOff(group: keyof typeof variants): void {
  labFixture(async (own) => {
    lab = own(await startLab({ console: true }));
    host = own(await startHost(lab, { supervised: true }));
    await host.start();
    uuid += 1;
    expect(await host.configure(smallGateway(uuid)), host.log()).toMatchObject({ uuid, status: { error: 0 } });
    // the distribution's address would be a second way out
    await lab.run('gw', 'sysctl', '-qw', 'net.ipv4.conf.wan1.promote_secondaries=1');
    await lab.run('gw', 'ip', 'addr', 'del', '198.51.100.9/24', 'dev', 'wan1');
    await lab.lease('a');
    const connected = host.console.connected();
    await kill('TERM');
    await connected;
  });

  const all: readonly Variant[] = variants[group];
  it.each(long ? all : all.filter(({ gate }) => gate))(
    '$what: $ends',
    async ({ ends, document: change, before, during, later, after }) => {
      uuid += 1;
      const [running, mine] = [await atRest(), uuid];
      const document = smallGateway(mine);
      change?.(document);
      const session = await host.session();
      await before?.();
      const reported = session.messages.length;
      const id = session.send('configure', { uuid: mine, config: document });
      if (during !== undefined) {
        await expect
          .poll(
            () =>
              session.messages
                .slice(reported)
                .some(({ params }) => JSON.stringify(params).includes('unit.config-pending')),
            { interval: 20 },
          )
          .toBe(true);
        await during();
        // the 30 s window ends first: reverts alone
        if (after !== undefined)
          await expect.poll(() => host.log().includes(`configuration ${mine} is taken back`)).toBe(true);
      }
      // a cut-off host may wait in back-off
      const pollOptions = { timeout: 180_000 };
      if (after === undefined || during === undefined) await expect.poll(() => word(mine, id), pollOptions).toBe(ends);
      await after?.();
      await expect.poll(() => word(mine, id), pollOptions).toBe(ends);
      await later?.();
      await host.session();
      await expect.poll(() => lab.page()).toBe(200);
      // with the default route, which decides reachability
      if (ends !== 'applied') await expect.poll(kernel).toBe(running);
    },
  );
}
