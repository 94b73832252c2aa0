import type { DataOf, sdwan, sdwanOrders } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertSdwanGateway } from '../../../test/seed-sdwan.ts';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { post } from '../billing/service.ts';
import { sdwanCalls, sdwanFixture } from './testing/sdwan-fixture.ts';

let server: TestServer;
let fixture: Awaited<ReturnType<typeof sdwanFixture>>;

beforeAll(async () => {
  server = await startTestServer();
  fixture = await sdwanFixture(server, 4);
});
afterAll(() => server.stop());

type Detail = DataOf<typeof sdwan.networkDetail>;

describe('SD-WAN networks', () => {
  it('need a package or the trial, which an account gets once', async () => {
    const { call, node, star } = fixture;
    const refused = await call('network/create', { name: 'Early', ...star([node(0), node(1)]) });
    expect(refused.code).toBe(422);
    const order = await call<DataOf<typeof sdwanOrders.orderDetail>>('order/create', { kind: 'trial' });
    expect(order.data).toMatchObject({ status: 'completed', nodes: 20 });
    expect((await call('order/create', { kind: 'trial' })).code).toBe(4106);
    const bought = await call('order/create', { kind: 'package', package_id: 'standard' });
    expect(bought.data).toMatchObject({ status: 'completed', nodes: 50, months: 12 });
    expect((await call<{ trial: boolean }>('status')).data).toMatchObject({
      opened: true,
      trial: false,
      node_limit: 50,
    });
  });

  it('list gateways that can join, with their public address', async () => {
    const { call } = fixture;
    const { data } = await call<DataOf<typeof sdwan.candidateList>>('candidate/list', { limit: 50 });
    expect(data.list[0]).toMatchObject({ name: 'Site-1', reason: null, public_ip: '198.51.100.1', is_used: false });
  });

  it('refuse a wrong plan beside its node, and offer a free prefix for an overlap', async () => {
    const { call, node, star, sites } = fixture;
    const same = [node(0), node(1, { lans: [{ prefix: '10.7.0.0/24' }] })];
    expect((await call('network/create', { name: 'Same', ...star(same) })).code).toBe(4110);
    const { data } = await call<DataOf<typeof sdwan.check>>('check', star(same));
    expect(data).toMatchObject({
      errors: [{ code: 'overlap', key: expect.any(String) as unknown }],
      suggestions: [
        { prefix: '10.7.0.0/24', as: '10.128.0.0/24' },
        { prefix: '10.7.0.0/24', as: '10.128.1.0/24' },
      ],
    });
    const two = await call<DataOf<typeof sdwan.check>>('check', star([node(0), node(1, { role: 'main' })]));
    expect(two.data.errors).toMatchObject([{ code: 'main_many', key: sites[1]!.gwid, field: 'role' }]);
  });

  it.each([
    ['an agent from before SD-WAN', 'Yunxun edge 3.3.0', 'version'],
    ['a version that cannot be read', 'Yunxun edge, modified', 'version_unknown'],
  ])('refuse a gateway with %s', async (_what, firmware, reason) => {
    const { call, node, star, sites } = fixture;
    const { serial, gwid } = sites[3]!;
    const { systemPool: pool } = server.db.database;
    const kept = (
      await pool.query<{ capabilities: object }>('select capabilities from device where serial = $1', [serial])
    ).rows[0]!;
    await pool.query(
      `update device set firmware = $2, capabilities = capabilities #- '{yunxun,abilities,sdwan}' where serial = $1`,
      [serial, firmware],
    );
    const refused = await call('network/create', { name: 'Old', ...star([node(0), node(3)]) });
    expect(refused).toMatchObject({ code: 4103, data: { gateways: [{ key: gwid, name: 'Site-4' }] } });
    expect(refused.message).toContain('3.4.1');
    const { data } = await call<DataOf<typeof sdwan.candidateList>>('candidate/list', { keyword: 'Site-4' });
    expect(data.list).toMatchObject([{ reason }]);
    await pool.query("update device set firmware = 'Yunxun edge 3.4.1', capabilities = $2 where serial = $1", [
      serial,
      JSON.stringify(kept.capabilities),
    ]);
  });

  it('deploy centres before branches, and run when each gateway reports its revision and handshakes', async () => {
    const { owner, sites, call, detail, node, star, documents, reportAll } = fixture;
    const made = await call<{ id: string }>('network/create', {
      name: 'Branches',
      ...star([node(0), node(1), node(2)]),
    });
    const { id } = made.data;
    expect(await detail(id)).toMatchObject({
      network: { status: 'draft', nodes: 3 },
      matrix: { rows: ['111', '111', '111'] },
    });
    const { data } = await call<{ job_id: string }>('network/deploy', { id });
    const { rows } = await server.db.database.systemPool.query(
      'select gwid, wave from job_item where job_id = $1 order by wave, gwid',
      [data.job_id],
    );
    expect(rows).toEqual([
      { gwid: sites[0]!.gwid, wave: 0 },
      ...[sites[1]!.gwid, sites[2]!.gwid].toSorted().map((gwid) => ({ gwid, wave: 1 })),
    ]);
    expect((await detail(id)).network.status).toBe('deploying');
    const checks = async () => {
      const found = await server.db.database.systemPool.query<{ status: string }>(
        "select i.status from job_item i join job j on j.id = i.job_id where j.type = 'sdwan_tunnels' and j.account_id = $1",
        [owner.accountId],
      );
      return found.rows.map(({ status }) => status);
    };
    await reportAll(id, [0, 1, 2], (peer) => peer !== sites[2]!.publicKey);
    expect(await checks()).not.toContain('succeeded');
    await reportAll(id, [0, 1, 2], () => true);
    expect((await detail(id)).network).toMatchObject({ status: 'running', tunnels: 4, tunnels_up: 4 });
    await expect.poll(checks).toEqual(['succeeded']);
    await reportAll(id, [0], (peer) => peer !== sites[1]!.publicKey);
    const seen = await detail(id);
    expect(seen.network.status).toBe('degraded');
    expect(seen.links.find(({ from }) => from === sites[1]!.gwid)).toMatchObject({ state: 'down', latency_ms: 4 });
    await reportAll(id, [0], () => true);
    // the centre lost its cable: its last report still says up
    await reportAll(id, [1, 2], () => false);
    expect(await detail(id)).toMatchObject({
      network: { status: 'degraded', tunnels_up: 0 },
      links: [{ state: 'down' }, { state: 'down' }],
    });
    await reportAll(id, [1, 2], () => true);
    expect((await detail(id)).network.status).toBe('running');

    const found = async (keyword: string) => {
      const answer = await server.call<{ list: object[] }>(
        '/api/v3/search/query',
        { keyword, kinds: ['sdwan'] },
        owner,
      );
      return answer.data.list;
    };
    expect(await found('branch')).toMatchObject([{ id, title: 'Branches', detail: null, match: 'start' }]);
    expect(await found('site-2')).toMatchObject([{ id, title: 'Branches', detail: 'Site-2', match: 'exact' }]);
    expect(await found('site-4')).toEqual([]);

    const before = await documents(id);
    const added = await call<{ job_id: string }>('member/add', { id, nodes: [node(3)] });
    expect(added.code).toBe(2000);
    const after = await documents(id);
    expect(after.get(sites[1]!.gwid)!.address).toBe(before.get(sites[1]!.gwid)!.address);

    const removed = await call<{ job_id: string }>('member/remove', { id, keys: [sites[3]!.gwid] });
    const items = await server.db.database.systemPool.query(
      'select gwid from job_item where job_id = $1 order by wave desc limit 1',
      [removed.data.job_id],
    );
    expect(items.rows).toEqual([{ gwid: sites[3]!.gwid }]);
    expect(JSON.stringify([...(await documents(id)).values()])).not.toContain(sites[3]!.publicKey);

    await server.db.database.systemPool.query("update sdwan_order set valid_until = now() - interval '1 day'");
    expect((await detail(id)).network.status).toBe('expired');
    await server.db.database.systemPool.query("update sdwan_order set valid_until = now() - interval '8 days'");
    expect([...(await documents(id)).values()]).not.toContain(null);
    await server.db.database.systemPool.query("select graphile_worker.add_job('sdwan-expiry')");
    await expect.poll(async () => [...new Set((await documents(id)).values())]).toEqual([null]);
  });
});

describe('an unbound gateway', () => {
  it.each([
    ['device', 'device/unbind', 'gone'],
    ['network', 'network/unbind', undefined],
  ])('loses its tunnels at its neighbours when its %s is unbound', async (what, path, status) => {
    const buyer = await server.register();
    const as = <T>(at: string, input: object) => server.call<T>(`/api/v3/${at}`, input, buyer);
    const own = [];
    for (const at of [1, 2, 3]) own.push(await insertSdwanGateway(server, buyer, at));
    await as('sdwan/order/create', { kind: 'trial' });
    const { node, star, documents } = sdwanCalls(server, buyer, own);
    const nodes = own.map((_, at) => node(at));
    const { data } = await as<{ id: string }>('sdwan/network/create', { name: 'Shops', ...star(nodes) });
    await as('sdwan/network/deploy', { id: data.id });
    const [main, left, kept] = own;
    expect(JSON.stringify((await documents(data.id)).get(main!.gwid))).toContain(left!.publicKey);
    const effects = async (asked: object) => (await as<{ list: object[] }>('device/unbind/effects', asked)).data.list;
    const named = { id: data.id, name: 'Shops' };
    expect(await effects({ serials: [left!.serial] })).toEqual([{ effect: 'sdwan_member', ...named }]);
    expect(await effects({ gwid: main!.gwid })).toEqual([{ effect: 'sdwan_centre', ...named }]);
    const input = what === 'device' ? { serial: left!.serial } : { gwid: left!.gwid };
    const answer = await as(path, input);
    expect(answer.code, JSON.stringify(answer)).toBe(2000);
    const after = await documents(data.id);
    expect(JSON.stringify(after.get(main!.gwid))).not.toContain(left!.publicKey);
    expect(JSON.stringify(after.get(main!.gwid))).toContain(kept!.publicKey);
    const { rows } = await server.db.database.systemPool.query(
      'select i.gwid from job_item i where i.account_id = $1 and i.job_id = (select id from job where account_id = $1 order by id desc limit 1)',
      [buyer.accountId],
    );
    expect(rows).toContainEqual({ gwid: main!.gwid });
    const seen = await as<Detail>('sdwan/network/detail', { id: data.id });
    expect(seen.data.nodes.find(({ key }) => key === left!.gwid)?.status).toBe(status);
  });
});

describe('a package with a price', () => {
  it('is paid from the balance once, also by two people at once, and never below zero', async () => {
    const buyer = await server.register();
    const { accountId } = buyer;
    const as = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, buyer);
    const offered = { id: 'big', name: 'Big', nodes: 100, widthband: 100, foreign_widthband: 0, months: 1 };
    await server.db.database.systemPool.query(
      `insert into installation (key, value) values ('sdwan_packages', $1)
       on conflict (key) do update set value = excluded.value`,
      [JSON.stringify([{ ...offered, price_fen: 6000 }])],
    );
    const order = async () => {
      const made = await as<{ order_no: string; status: string }>('sdwan/order/create', {
        kind: 'package',
        package_id: 'big',
      });
      expect(made.data.status).toBe('incomplete');
      return made.data.order_no;
    };
    const orders = [await order(), await order()];
    expect((await as('sdwan/order/pay', { order_no: orders[0] })).code).toBe(4107);
    await server.db.database.withSystem((tx) =>
      post(tx, {
        accountId,
        key: 'in',
        kind: 'recharge',
        at: new Date(),
        gwid: null,
        entries: [
          { ledger: 'balance', fen: 10_000 },
          { ledger: 'external', fen: -10_000 },
        ],
      }),
    );
    const paid = await Promise.all([...orders, orders[0]].map((order_no) => as('sdwan/order/pay', { order_no })));
    expect(paid.map(({ code }) => code).toSorted()).toContain(4107);
    expect((await as<{ balance: string }>('billing/balance', {})).data.balance).toBe('40.00');
    expect((await as('sdwan/order/pay', { order_no: 'SD0' })).code).toBe(4108);
  });
});
