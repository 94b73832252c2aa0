import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phone, printer, startFixture, tablet } from './testing/fixture.ts';

type Fixture = Awaited<ReturnType<typeof startFixture>>;
let server: Fixture['server'];
let owner: Fixture['owner'];
let call: Fixture['call'];
let macs: Fixture['macs'];
let lastLogged: Fixture['lastLogged'];
let shop: string;

beforeAll(async () => {
  ({ server, owner, call, macs, lastLogged, shop } = await startFixture());
});
afterAll(() => server.stop());

describe('what the operator says', () => {
  it('is found by, logged, undone', async () => {
    expect((await call('update', { mac: phone, remark: 'Front-desk', vip: true })).data).toMatchObject({
      remark: 'Front-desk',
      vip: true,
    });
    expect(await macs({ keyword: 'front' })).toEqual([phone]);
    expect(await macs({ vip: 'true' })).toEqual([phone]);
    const logged = await server.call<{ list: { seq: number; action: string }[] }>('/api/v3/log/action/list', {}, owner);
    expect(logged.data.list[0]).toMatchObject({ action: 'user.update' });
    const undone = await server.call('/api/v3/log/action/undo', { seq: logged.data.list[0]!.seq }, owner);
    expect(undone.code).toBe(2000);
    expect(await macs({ vip: 'true' })).toEqual([]);
    expect((await call('update', { mac: phone, remark: 'a <b>' })).code).toBe(422);
  });

  it('masks a phone number until it is revealed, which is logged', async () => {
    const { data } = await call<{ phone_masked: string; account: string | null }>('detail', { mac: phone });
    expect(data).toMatchObject({ phone_masked: '139****5678', account: null });
    expect((await call('reveal', { mac: phone })).data).toEqual({ account: '13912345678' });
    const logged = await lastLogged();
    expect(logged).toMatchObject({ action: 'user.reveal', object: { id: phone } });
    expect(JSON.stringify(logged)).not.toContain('13912345678');
  });

  it('goes into a file with masked numbers and escaped formulas, as the list is filtered, and into the log', async () => {
    const fetched = async (body: object) => {
      const { data } = await call<{ url: string }>('export', { format: 'csv', ...body });
      return (await fetch(server.url + data.url)).text();
    };
    const file = await fetched({ tab: 'online', gwid: shop });
    const lines = file.trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(file).toContain('139****5678');
    expect(file).not.toContain('13912345678');
    expect(file).toContain(`"'=HYPERLINK(""x"")"`);
    expect(file).not.toContain('forklift');
    expect(await lastLogged()).toMatchObject({ action: 'user.export', after: { format: 'csv', gwid: shop } });
    const stays = (await fetched({ mac: phone })).trim().split('\r\n');
    expect(stays).toHaveLength(12);
    expect(`${lines[0]},${stays[0]}`).not.toContain('column.');
  });

  it('is exported in the order of the list, missing values last in both directions', async () => {
    for (const sort of ['login_at', 'rssi', 'hostname', 'mac'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const { data } = await call<{ url: string }>('export', { format: 'json', sort, order });
        const file = (await (await fetch(server.url + data.url)).json()) as { rows: Record<string, unknown>[] };
        expect(file.rows.map((row) => row.mac)).toEqual(await macs({ sort, order }));
        const values = file.rows.map((row) => row[sort]);
        expect(values.lastIndexOf(values.findLast((value) => value !== null))).toBe(
          values.filter((value) => value !== null).length - 1,
        );
      }
    }
    const { data } = await call<{ url: string }>('export', { format: 'json' });
    const file = (await (await fetch(server.url + data.url)).json()) as { rows: { mac: string }[] };
    expect(file.rows.map((row) => row.mac)).toEqual(await macs({}));
  });
});

describe('lists', () => {
  it('hold blocked and allowed clients, also unseen ones; allowing a client unblocks it', async () => {
    const never = 'aabbccddeeff';
    expect((await call('allow', { macs: [printer] })).data).toMatchObject({ changed: [printer], job_id: null });
    const blocked = await call<{ changed: string[]; skipped: string[]; job_id: string | null }>('block', {
      macs: [never, tablet, printer],
    });
    // no wireless settings, so nothing is pushed
    expect(blocked.data).toMatchObject({ changed: [never, tablet], skipped: [printer], job_id: null });
    expect((await macs({ tab: 'blocked' })).toSorted()).toEqual([tablet, never].toSorted());
    expect(await macs({ tab: 'blocked', keyword: 'aa:bb' })).toEqual([never]);
    expect(await macs({ tab: 'allowed' })).toEqual([printer]);
    expect((await call('applied')).data).toEqual({
      blocked: 2,
      managed: 0,
      gateways: 0,
      in_force: 0,
      later: 0,
      unmanaged: 4,
      too_old: 0,
      waiting: [],
    });
    await call('unblock', { macs: [never, tablet, printer] });
    expect(await macs({ tab: 'blocked' })).toEqual([]);
  });

  it('have an end', async () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => (0xb00000000000 + from + index).toString(16));
    expect((await call('block', { macs: many(0, 200) })).code).toBe(2000);
    expect(await call('block', { macs: many(200, 1) })).toMatchObject({ code: 4106, data: { limit: 200, used: 200 } });
    await call('unblock', { macs: many(0, 200) });
  });
});
