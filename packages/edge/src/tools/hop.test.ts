import { describe, expect, it } from 'vitest';
import { emptyLayout } from '../measure/index.ts';
import { probeHop } from './hop.ts';
import { readTool } from './request.ts';

const answer = (address: string) => `64 bytes from ${address}: icmp_seq=1 ttl=64 time=0.5 ms`;
const asked = { own: '100.64.0.1', peers: [], port: null, host: '10.1.0.9' };

/** A LAN with the hosts that answer ping, and the entries that ARP makes. */
function lanOf({ pings = [] as string[], entry = null as object | null, route = { dev: 'lan0' } as object }) {
  const done: string[] = [];
  const run = async (argv: readonly string[]) => {
    const words = argv.join(' ');
    done.push(words);
    const target = argv.at(-1)!;
    const stdout = words.startsWith('ping')
      ? pings.includes(target)
        ? answer(target)
        : '3 packets transmitted, 0 received'
      : words.includes('route get')
        ? JSON.stringify([route])
        : words.includes('neigh show')
          ? JSON.stringify(entry === null ? [] : [entry])
          : '';
    return { code: 0, stdout, stderr: '' };
  };
  return { run, done };
}

const mac = { lladdr: '02:00:00:00:00:01' };

describe('the gateway of a target', () => {
  it.each([
    ['no such host', { entry: { state: ['FAILED'] } }, { present: false, ping: false }],
    ['no entry at all', {}, { present: false, ping: false }],
    ['a host without an answer', { entry: { ...mac, state: ['REACHABLE'] } }, { present: true, ping: false }],
    ['a host that answers', { pings: ['10.1.0.9'] }, { present: true, ping: true }],
    ['a host behind a router', { route: { dev: 'lan0', gateway: '10.1.0.2' } }, { present: null, ping: false }],
  ])('finds %s', async (_what, lan, found) => {
    const { run } = lanOf(lan);
    expect((await probeHop(asked, run)).host).toEqual({ ...found, tcp: null });
  });

  it.each([
    ['open', 3.5, true],
    ['closed', 'ECONNREFUSED', true],
    ['silent', 'timeout', false],
  ] as const)('finds a port %s', async (tcp, result, present) => {
    const { run } = lanOf({});
    const found = await probeHop({ ...asked, port: 80 }, run, async () => result);
    expect(found.host).toEqual({ present, ping: false, tcp });
  });

  it('asks ARP anew, but leaves entries that a person made', async () => {
    const stale = lanOf({ entry: { ...mac, state: ['STALE'] } });
    await probeHop(asked, stale.run);
    expect(stale.done).toContain('ip neigh del 10.1.0.9 dev lan0');
    const permanent = lanOf({ entry: { ...mac, state: ['PERMANENT'] } });
    await probeHop(asked, permanent.run);
    expect(permanent.done.join()).not.toContain('neigh del');
  });
});

it('pings neighbours from its overlay address', async () => {
  const { run, done } = lanOf({ pings: ['100.64.0.2'] });
  const found = await probeHop({ ...asked, host: null, peers: ['100.64.0.2', '100.64.0.3'] }, run);
  expect(found).toEqual({
    tunnels: [
      { address: '100.64.0.2', answers: true },
      { address: '100.64.0.3', answers: false },
    ],
    host: null,
  });
  expect(done[0]).toContain('-I 100.64.0.1 100.64.0.2');
});

it('refuses options and names in place of addresses', () => {
  const known = { layout: emptyLayout, ports: {}, origins: [] };
  const params = { tool: 'hop', own: '100.64.0.1', peers: ['100.64.0.2'] };
  expect(readTool(params, known)).toMatchObject({ tool: 'hop', host: null, port: null });
  for (const wrong of [
    { own: '-f' },
    { peers: ['a'] },
    { host: '-I' },
    { port: 0 },
    { peers: Array(9).fill('10.0.0.1') },
  ])
    expect(readTool({ ...params, ...wrong }, known)).toHaveProperty('wrong');
});
