import { beforeAll, expect, test } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import type { NetworkDetail } from './one-network.tsx';
import { verdictOf } from './verdict.ts';

beforeAll(() => install('en', en));

type Node = NetworkDetail['nodes'][number];
type Link = NetworkDetail['links'][number];

const node = (key: string, more: Partial<Node> = {}) =>
  ({ key, name: key.toUpperCase(), status: 'running', detours: 0, ...more }) as Node;
const link = (from: string, to: string, more: Partial<Link> = {}) =>
  ({ from, to, state: 'up', latency_ms: 8, loss_pct: 0, ...more }) as Link;
const of = (more: Partial<NetworkDetail> & { status?: NetworkDetail['network']['status'] } = {}) =>
  verdictOf({
    network: { status: more.status ?? 'running' } as NetworkDetail['network'],
    nodes: [node('hub'), node('a'), node('b')],
    links: [link('a', 'hub'), link('b', 'hub', { latency_ms: 31.6 })],
    errors: [],
    routes: [],
    matrix: { keys: [], rows: [] },
    stale: [],
    job_id: null,
    ...more,
  });

test('a network that works says how far its sites are apart', () => {
  expect(of()).toEqual({
    tone: 'ok',
    text: 'All 3 sites are connected by 2 tunnels; highest latency 32 ms (B – HUB).',
  });
  const silent = [link('a', 'hub', { latency_ms: null })];
  expect(of({ links: silent }).text).toBe('All 3 sites are connected by 1 tunnel.');
});

test('what cuts a site off is said before what only slows it', () => {
  const links = [link('a', 'hub', { state: 'down' }), link('b', 'hub', { loss_pct: 40 })];
  const nodes = [node('hub'), node('a', { status: 'down' }), node('b', { detours: 2 })];
  expect(of({ links, nodes, status: 'degraded' })).toEqual({ tone: 'bad', text: '1 site is cut off: A.' });
  const degraded = [node('hub'), node('a', { status: 'degraded' }), node('b', { detours: 2 })];
  expect(of({ links, nodes: degraded, status: 'degraded' })).toEqual({
    tone: 'warn',
    text: '1 tunnel is down: A – HUB.',
  });
  expect(of({ links: links.slice(1), nodes: degraded }).text).toBe(
    '1 site uses a path that is not its first choice: B.',
  );
  expect(of({ links: links.slice(1) })).toEqual({
    tone: 'warn',
    text: 'All tunnels are up, but B – HUB loses 40% of its packets.',
  });
});

test('a rejected or unfinished deployment comes first', () => {
  const nodes = [node('hub'), node('a', { status: 'failed' }), node('b', { status: 'offline' })];
  expect(of({ nodes, status: 'failed' }).text).toBe('1 gateway did not apply its configuration: A.');
  const waiting = [node('hub'), node('a', { status: 'waiting' }), node('b', { status: 'offline' })];
  expect(of({ nodes: waiting, status: 'deploying' })).toMatchObject({
    tone: 'brand',
    text: expect.stringMatching(/2 of 3/),
  });
  expect(of({ status: 'draft' }).tone).toBe('none');
});

test('of many sites it names three', () => {
  const nodes = ['a', 'b', 'c', 'd', 'e'].map((key) => node(key, { status: 'offline' }));
  expect(of({ nodes, status: 'degraded' }).text).toBe('5 sites are cut off: A, B, C and 2 more.');
});
