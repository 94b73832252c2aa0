import type { DataOf, sdwan } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { endDevices } from './device-client.ts';
import { connectGateways } from './sdwan-gateways.ts';

type Changes = DataOf<typeof sdwan.pathChangeList>;

let server: TestServer;
let fixture: Awaited<ReturnType<typeof connectGateways>>;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  fixture = await connectGateways(server, 3);
  await fixture.call('order/create', { kind: 'trial' });
  const nodes = ['main', 'bak', ''].map((role, at) => fixture.node(at, { role }));
  id = await fixture.deployStar('Branches', nodes);
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

/** Reports that the branch sends each prefix over its `choice`th candidate. */
async function reportBranch(choice: number): Promise<void> {
  const { revision, routes } = (await fixture.documents(id)).get(fixture.gwids[2]!)!;
  const used = routes.map(({ prefix, candidates }) => ({ prefix, interface: candidates[choice]!.interface }));
  fixture.report(2, { networks: [{ id, revision, error: null, peers: [], routes: used }] });
}

async function linksOfBranch() {
  const { links, nodes } = await fixture.detail(id);
  const own = links.filter(({ from }) => from === fixture.gwids[2]);
  const of = (kind: string) => own.find((link) => link.kind === kind);
  return { main: of('main'), bak: of('bak'), node: nodes.find(({ key }) => key === fixture.gwids[2]) };
}

const changes = async (more: object = {}) => (await fixture.call<Changes>('path_change/list', { id, ...more })).data;

it('shows which tunnels carry the routes of a branch, and which are detours', async () => {
  expect(await linksOfBranch()).toMatchObject({ main: { routes: null }, node: { detours: null } });
  await reportBranch(0);
  const usual = { main: { routes: 1, detours: 0 }, bak: { routes: 1, detours: 0 }, node: { detours: 0 } };
  await expect.poll(linksOfBranch).toMatchObject({ ...usual, node: { detours: 0, path_changed_at: null } });
  await reportBranch(1);
  const crossed = { main: { routes: 1, detours: 1 }, bak: { routes: 1, detours: 1 }, node: { detours: 2 } };
  await expect.poll(linksOfBranch).toMatchObject(crossed);
});

it('lists the path changes that a gateway reports, by their neighbours', async () => {
  const { routes } = (await fixture.documents(id)).get(fixture.gwids[2]!)!;
  const moved = routes.find(({ candidates }) => candidates[0]!.interface.endsWith('d'))!;
  const [main, bak] = moved.candidates.map((candidate) => candidate.interface);
  const at = Math.floor(Date.now() / 1000) - 30;
  const event = { from: main!, to: bak!, prefixes: [moved.prefix] };
  fixture.devices[2]!.event('sdwan.path', { ...event, network: 'another' }, at);
  fixture.devices[2]!.event('sdwan.path', { ...event, network: id }, at);
  const [mainKey, bakKey, key] = fixture.gwids;
  const reported = { at: new Date(at * 1000).toISOString(), key, from: mainKey, to: bakKey, prefixes: [moved.prefix] };
  await expect.poll(changes).toEqual({ list: [reported], total: 1 });
  expect(await changes({ key: mainKey })).toEqual({ list: [], total: 0 });
  expect(await linksOfBranch()).toMatchObject({ node: { path_changed_at: reported.at } });
});
