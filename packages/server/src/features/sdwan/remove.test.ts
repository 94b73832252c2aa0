import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { sdwanFixture } from './testing/sdwan-fixture.ts';

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  fixture = await sdwanFixture(server, 4);
  await fixture.call('order/create', { kind: 'trial' });
  id = await fixture.deployStar(
    'Branches',
    [0, 1, 2, 3].map((at) => fixture.node(at)),
  );
});
afterAll(() => server.stop());

const pool = () => server.db.database.systemPool;

async function remove(at: number) {
  return fixture.call<{ job_id: string }>('member/remove', { id, keys: [fixture.sites[at]!.gwid] });
}

async function expectRevoked(at: number, jobId: string): Promise<void> {
  const { sites, documents } = fixture;
  const left = await documents(id);
  expect(left.has(sites[at]!.gwid)).toBe(false);
  expect(JSON.stringify([...left.values()])).not.toContain(sites[at]!.publicKey);
  const { rows } = await pool().query('select gwid from job_item where job_id = $1 order by wave, gwid', [jobId]);
  expect(rows.at(0)).toEqual({ gwid: sites[0]!.gwid });
  expect(rows.at(-1)).toEqual({ gwid: sites[at]!.gwid });
}

it('removes a member while the package is in its grace', async () => {
  await pool().query("update sdwan_order set valid_until = now() - interval '1 day' where account_id = $1", [
    fixture.owner.accountId,
  ]);
  const { code, message, data } = await remove(1);
  expect(code, message).toBe(2000);
  await expectRevoked(1, data.job_id);
});

it('removes a member while another one cannot run SD-WAN any more', async () => {
  await pool().query(
    `update device set capabilities = jsonb_set(capabilities, '{yunxun,abilities,sdwan}', 'false') where serial = $1`,
    [fixture.sites[3]!.serial],
  );
  const { code, message, data } = await remove(1);
  expect(code, message).toBe(2000);
  await expectRevoked(1, data.job_id);
  expect((await fixture.detail(id)).nodes.map(({ key }) => key)).toContain(fixture.sites[3]!.gwid);
});

it('refuses a removal that itself breaks the plan', async () => {
  await pool().query("update sdwan_order set valid_until = now() - interval '1 day' where account_id = $1", [
    fixture.owner.accountId,
  ]);
  const { code, errors } = await remove(0);
  expect(code).toBe(422);
  expect(JSON.stringify(errors)).not.toContain('expired');
  expect((await fixture.documents(id)).size).toBe(4);
});

it('brings a removed member back when the change is undone', async () => {
  const { owner, sites, documents } = fixture;
  await remove(1);
  type Rows = { list: { seq: number; action: string; undoable: boolean }[] };
  const asked = { object_type: 'sdwan_network', object_id: id, limit: 1 };
  const { data } = await server.call<Rows>('/api/v3/log/action/list', asked, owner);
  const [row] = data.list;
  expect(row).toMatchObject({ action: 'sdwan_network.remove_nodes', undoable: true });
  const undone = await server.call<{ job_id: string }>('/api/v3/log/action/undo', { seq: row!.seq }, owner);
  expect(undone.code, undone.message).toBe(2000);
  expect(undone.data.job_id).toBeTruthy();
  const after = await documents(id);
  expect(JSON.stringify(after.get(sites[0]!.gwid))).toContain(sites[1]!.publicKey);
  expect(after.get(sites[1]!.gwid)?.interfaces).toHaveLength(1);
});
