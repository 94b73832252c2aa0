import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { record } from '../../features/logs/audit.ts';
import { bySystem } from '../acting.ts';
import { ManualClock } from '../clock.ts';
import { createDownloads } from './download.ts';

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  for (const remark of ['Lobby', 'Cellar']) await server.call('/api/v3/network/create', { remark }, owner);
  for (const name of ['=1+1', 'Hall, "east"']) {
    const operation = { action: 'thing.name', object: { type: 'view' as const, id: 'x', name }, after: { name } };
    await server.db.database.withSystem((tx) => record(tx, bySystem(owner.accountId), operation));
  }
});
afterAll(() => server.stop());

type As = { token: string; account?: string };

async function addressOf(path: string, input: object, as: As): Promise<string> {
  const answer = await server.call<{ url: string }>(path, input, as);
  expect(answer.code, JSON.stringify(answer.errors)).toBe(2000);
  return server.url + answer.data.url;
}
const operations = (input: object, as: As = owner) => addressOf('/api/v3/log/action/export', input, as);
const tickets = async () =>
  (await server.db.database.systemPool.query<{ n: number }>('select count(*)::int as n from download')).rows[0]!.n;

const linesOf = (text: string) => text.split('\r\n').slice(0, -1);

describe('a file', () => {
  it('is CSV for a spreadsheet: byte order mark, times of the person, no formula', async () => {
    await server.call('/api/v3/personalization/save', { time_zone: 'America/New_York' }, owner);
    const response = await fetch(await operations({ format: 'csv', object_type: 'view' as const }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="operations-\d{8}-\d{4}\.csv"$/);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, newest, first, ...rest] = linesOf(new TextDecoder().decode(bytes));
    expect(rest).toEqual([]);
    expect(head).toMatch(/^(Time|时间) \(America\/New_York\),(Number|序号),(Operator|操作人),/);
    const { data } = await server.call<{ list: { time: string }[] }>(
      '/api/v3/log/action/list',
      { object_type: 'view' as const },
      owner,
    );
    const local = new Date(data.list[0]!.time).toLocaleString('sv-SE', { timeZone: 'America/New_York' });
    expect(newest!.startsWith(`${local},`)).toBe(true);
    expect(newest).toContain(',thing.name,view,');
    expect(newest).toContain(',"Hall, ""east""",');
    expect(first).toContain(",'=1+1,");
    expect(first).toContain(`,"{""name"":""=1+1""}",`);
  });

  it('is JSON with the rows as the list has them', async () => {
    const response = await fetch(await operations({ format: 'json', object_type: 'view' as const }));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/\.json"$/);
    const file = (await response.json()) as { rows: Record<string, unknown>[]; complete: boolean };
    const { data } = await server.call<{ list: Record<string, unknown>[] }>(
      '/api/v3/log/action/list',
      { object_type: 'view' as const },
      owner,
    );
    expect(file.complete).toBe(true);
    const moment = { undoable: expect.anything(), undo_permission: null };
    expect(data.list).toEqual(file.rows.map((row) => ({ ...row, ...moment })));
  });

  it('has no bidirectional controls, whatever a device or guest sent', async () => {
    const operation = { action: 'thing.name', object: { type: 'station' as const, id: 'y', name: 'fdp.\u202eexe' } };
    await server.db.database.withSystem((tx) => record(tx, bySystem(owner.accountId), operation));
    for (const format of ['csv', 'json'] as const) {
      const text = await (await fetch(await operations({ format, object_type: 'station' }))).text();
      expect(text).toContain('fdp.exe');
      expect(text).not.toMatch(/\p{Bidi_Control}/u);
    }
  });

  it('has the order of the list', async () => {
    for (const path of ['/api/v3/log/action', '/api/v3/log/auth']) {
      const shown = await server.call<{ list: { time: string }[] }>(`${path}/list`, { order: 'asc', limit: 50 }, owner);
      const response = await fetch(await addressOf(`${path}/export`, { format: 'json', order: 'asc' }, owner));
      const { rows } = (await response.json()) as { rows: { time: string }[] };
      expect(rows.slice(0, 50).map(({ time }) => time)).toEqual(shown.data.list.map(({ time }) => time));
    }
  });

  it('is filtered as the list is, and empty when nothing fits', async () => {
    const csv = await (await fetch(await operations({ format: 'csv', keyword: 'nobody' }))).text();
    expect(linesOf(csv)).toHaveLength(1);
    const json = await (await fetch(await operations({ format: 'json', keyword: 'nobody' }))).json();
    expect(json).toEqual({ rows: [], complete: true });
    const found = await (await fetch(await operations({ format: 'json', keyword: 'east' }))).json();
    expect((found as { rows: unknown[] }).rows).toHaveLength(1);
  });
});

describe('its address', () => {
  it('works once', async () => {
    const address = await operations({ format: 'csv' });
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(address)).status).toBe(200);
    const again = await fetch(address, { headers: { localization: 'en' } });
    expect([again.status, await again.json()]).toMatchObject([404, { code: 4113, data: null }]);
    expect((await fetch(`${server.url}/api/v3/download/none`)).status).toBe(404);
  });

  it('lives for 60 s', async () => {
    const [inTime, late] = [await operations({ format: 'csv' }), await operations({ format: 'csv' })];
    clock.advance(59_000);
    expect((await fetch(inTime)).status).toBe(200);
    clock.advance(1000);
    expect((await fetch(late)).status).toBe(404);
  });

  it('is deleted when it is not used', async () => {
    await operations({ format: 'csv' });
    const downloads = createDownloads({ database: server.db.database, clock });
    await downloads.tasks['download-expire']();
    const waiting = await tickets();
    expect(waiting).toBeGreaterThan(0);
    clock.advance(60_000);
    await downloads.tasks['download-expire']();
    expect(await tickets()).toBe(0);
  });

  it('serves with the rights of the moment: no longer in the session, the grant or with the permission', async () => {
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['log.read']);
    const as = { token: guest.token, account: owner.accountId };
    const change = (text: string) =>
      server.db.database.systemPool.query(`update hosting_grant set ${text} where grantee_account_id = $1`, [
        guest.accountId,
      ]);
    expect((await fetch(await operations({ format: 'csv' }, as))).status).toBe(200);
    const without = await operations({ format: 'csv' }, as);
    await change(`permissions = '{network.read}'`);
    expect((await fetch(without)).status).toBe(404);
    await change(`permissions = '{log.read}'`);
    const revoked = await operations({ format: 'csv' }, as);
    await change('revoked_at = now()');
    expect((await fetch(revoked)).status).toBe(404);
    const { token } = await server.call('/api/v3/login', { email: owner.email, password: owner.password });
    const signedOut = await operations({ format: 'csv' }, { token: token! });
    await server.get('/api/v3/logout', { token: token! });
    expect((await fetch(signedOut)).status).toBe(404);
  });

  it('shows a member limited to one network its rows', async () => {
    const { data } = await server.call<{ list: { gwid: string; remark: string }[] }>('/api/v3/network/list', {}, owner);
    const guest = await server.register();
    const [seen] = data.list;
    await host(server, owner.accountId, guest.accountId, ['log.read'], [seen!.gwid]);
    const as = { token: guest.token, account: owner.accountId };
    const file = (await (await fetch(await operations({ format: 'json' }, as))).json()) as { rows: { gwid: string }[] };
    expect(file.rows.map((row) => row.gwid)).toEqual([seen!.gwid]);
  });

  it('shows an account as another member sees it, while it is viewed as theirs', async () => {
    const [seen] = (await server.call<{ list: { gwid: string }[] }>('/api/v3/network/list', {}, owner)).data.list;
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['log.read'], [seen!.gwid]);
    const { rows } = await server.db.database.systemPool.query<{ id: string }>(
      'select id from hosting_grant where grantee_account_id = $1',
      [guest.accountId],
    );
    const response = await fetch(`${server.url}/api/v3/log/action/export`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'view-as': `grant:${rows[0]!.id}`,
        'content-type': 'application/json',
      },
      body: '{"format":"json"}',
    });
    const { data } = (await response.json()) as { data: { url: string } };
    const file = (await (await fetch(server.url + data.url)).json()) as { rows: { gwid: string }[] };
    expect(file.rows.map((row) => row.gwid)).toEqual([seen!.gwid]);
  });
});
