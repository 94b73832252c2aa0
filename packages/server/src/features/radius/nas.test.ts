import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../../test/server.ts';
import { type NasRow, type RadiusServer, startRadius } from './testing/fixture.ts';

let radius: RadiusServer;

beforeAll(async () => {
  radius = await startRadius();
});
afterAll(() => radius.server.stop());

const call = <T>(what: string, body: object) => radius.server.call<T>(`/api/v3/radius/${what}`, body, radius.owner);

describe('RADIUS clients', () => {
  it('show their secret once, and keep it sealed', async () => {
    const { id, secret } = await radius.nas();
    expect(secret).toMatch(/^[\w-]{32}$/);
    const list = await call<{ list: NasRow[] }>('nas/list', {});
    expect(JSON.stringify(list.data)).not.toContain(secret);
    const database = await radius.server.db.reopen();
    const { rows } = await database.systemPool.query<{ secret: Buffer }>(
      'select secret from radius_nas where id = $1',
      [id],
    );
    expect(rows[0]!.secret.includes(secret)).toBe(false);
    await database.close();
    const log = await radius.server.call('/api/v3/log/action/list', {}, radius.owner);
    expect(JSON.stringify(log.data)).not.toContain(secret);
  });

  it('get another secret', async () => {
    const { id, secret } = await radius.nas();
    const { data } = await call<{ id: string; secret: string }>('nas/rotate_secret', { id });
    expect(data).toEqual({ id, secret: expect.stringMatching(/^[\w-]{32}$/) });
    expect(data.secret).not.toBe(secret);
  });

  it('need a name, an address or an identifier of their own', async () => {
    const { source } = await radius.nas({ name: 'First' });
    const given = { name: 'Second', gwid: radius.gwid, source, identifier: null, require_ma: false, coa_port: 3799 };
    expect((await call('nas/create', given)).errors).toHaveProperty('source');
    expect((await call('nas/create', { ...given, source: null })).errors).toHaveProperty('source');
    expect((await call('nas/create', { ...given, source: '127.9.9.9', name: 'FIRST' })).code).toBe(4105);
    expect((await call('nas/create', { ...given, identifier: 'second' })).code).toBe(2000);
  });

  it('change and go', async () => {
    const { id, source } = await radius.nas();
    const given = { name: 'Renamed', gwid: radius.gwid, source, identifier: 'x', require_ma: true, coa_port: 1700 };
    expect((await call('nas/update', { id, ...given })).code).toBe(2000);
    expect(await radius.state(id)).toMatchObject({ ...given, network: 'Lobby', seen_at: null, accepted: 0 });
    expect((await call('nas/delete', { id })).code).toBe(2000);
    expect(await radius.state(id)).toBeUndefined();
  });
});

describe('a port that is taken', () => {
  it('stays closed by default, and stops the start when it was chosen', async () => {
    const other = createSocket('udp4');
    other.bind(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address();
    const server = await startTestServer({ config: { radiusAuthPort: { port, isChosen: false } } });
    expect(server.program.radiusPorts).toEqual({ auth: null, acct: null });
    await server.stop();
    const chosen = startTestServer({ config: { radiusAuthPort: { port, isChosen: true } } });
    await expect(chosen).rejects.toThrow('YUNXUN_RADIUS_AUTH_PORT');
    other.close();
  });
});
