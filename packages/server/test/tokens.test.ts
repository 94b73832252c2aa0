import { type AnyEndpoint, areaOf, takesTokens } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, type NewApiToken } from '../src/features/identity/tokens.ts';
import { administer, byPath, guarded, knock, logHead, send } from './endpoints.ts';
import { makeSeed, namedBy, type OwnedSeed } from './seed.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let still: OwnedSeed;

beforeAll(async () => {
  server = await startTestServer();
  still = await administeredSeed();
});
afterAll(() => server.stop());

async function seedFor(endpoint: AnyEndpoint): Promise<OwnedSeed> {
  return endpoint.effect === 'read' || !takesTokens(endpoint) ? still : administeredSeed(endpoint);
}

/** The token inherits the person's administrator right. */
async function administeredSeed(only?: AnyEndpoint): Promise<OwnedSeed> {
  const seed = await makeSeed(server, only && namedBy(only, still.seed));
  await administer(server, seed.owner.userId);
  return seed;
}

/** Cached, because tokens per person are limited. */
const made = new Map<string, Promise<{ token: string }>>();

function tokenOf({ accountId, userId }: Registered, limits: Partial<NewApiToken> = {}): Promise<{ token: string }> {
  const key = `${userId} ${JSON.stringify(limits)}`;
  const wanted: NewApiToken = { name: 'Nightly-job', scope: 'write', areas: null, gwids: null, days: 7, ...limits };
  const token =
    made.get(key) ??
    server.db.database.withSystem((tx) => createToken(tx, { accountId, personId: userId }, wanted, new Date()));
  made.set(key, token);
  return token;
}

describe.each(byPath(guarded.filter((endpoint) => !takesTokens(endpoint))))('%s', (_path, endpoint) => {
  // what takes tokens is called with one in isolation.test.ts
  it('asks for the person', async () => {
    const before = await logHead(server, still.owner.accountId);
    expect((await send(server, endpoint, still.seed, await tokenOf(still.owner))).code).toBe(4015);
    expect(await logHead(server, still.owner.accountId)).toBe(before);
  });
});

describe.each(byPath(guarded))('%s', (_path, endpoint) => {
  it('changes nothing for a token for reading', async () => {
    const { owner, seed } = still;
    const before = await logHead(server, owner.accountId);
    const answer = await send(server, endpoint, seed, await tokenOf(owner, { scope: 'read' }));
    if (endpoint.effect === 'read') {
      expect(answer.code).toBe(takesTokens(endpoint) ? 2000 : 4015);
    } else {
      expect(answer).toMatchObject({
        code: 4101,
        data: { permission: endpoint.permission, reason: 'token_read_only' },
      });
    }
    expect(await logHead(server, owner.accountId)).toBe(before);
  });

  it('is open to a token for its area only', async () => {
    const area = areaOf(endpoint.permission);
    const other = area === 'message' ? 'job' : 'message';
    const before = await logHead(server, still.owner.accountId);
    const outside = await tokenOf(still.owner, { areas: [other] });
    expect(await send(server, endpoint, still.seed, outside)).toMatchObject({
      code: 4101,
      data: { permission: endpoint.permission, reason: 'token_area' },
    });
    expect(await logHead(server, still.owner.accountId)).toBe(before);
    if (endpoint.method === 'POST' && endpoint.effect !== 'read' && takesTokens(endpoint)) {
      const within = await tokenOf(still.owner, { areas: [area] });
      expect((await knock(server, endpoint, within)).status).toBe(422);
    } else {
      const { owner, seed } = await seedFor(endpoint);
      const within = await tokenOf(owner, { areas: [area] });
      expect((await send(server, endpoint, seed, within)).code).not.toBe(4101);
    }
  });
});

describe('a token for one network', () => {
  it('sees and changes that network only, its devices, jobs and log', async () => {
    const { owner, seed } = await makeSeed(server);
    const gwid = seed.spareNetwork.gwid;
    const token = await tokenOf(owner, { gwids: [gwid] });
    const networks = await server.call<{ list: { gwid: string }[]; total: number }>('/api/v3/network/list', {}, token);
    expect(networks.data).toMatchObject({ total: 1, list: [{ gwid }] });
    const listed = (path: string) => server.call<{ total: number }>(path, {}, token);
    expect((await listed('/api/v3/ap/list')).data.total).toBe(0);
    expect((await listed('/api/v3/job/list')).data.total).toBe(0);
    expect((await listed('/api/v3/log/action/list')).data.total).toBe(
      (await server.call<{ total: number }>('/api/v3/log/action/list', { gwid }, owner)).data.total,
    );
    const rename = (id: string) => server.call('/api/v3/network/update', { gwid: id, remark: 'Renamed' }, token);
    expect((await rename(seed.network.gwid)).code).toBe(4113);
    expect((await rename(gwid)).code).toBe(2000);
    expect((await server.get<{ gwids: string[] }>('/api/v3/user', token)).data.gwids).toEqual([gwid]);
  });

  it('never sees what its person may no longer see', async () => {
    const [{ owner, seed }, member] = [await makeSeed(server), await server.register()];
    await server.db.database.systemPool.query(
      `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'operator', $4)`,
      [owner.accountId, member.userId, member.accountId, [seed.network.gwid]],
    );
    const token = await tokenOf(member, { gwids: [seed.network.gwid, seed.spareNetwork.gwid] });
    const networks = await server.call<{ list: { gwid: string }[] }>(
      '/api/v3/network/list',
      {},
      { ...token, account: owner.accountId },
    );
    expect(networks.data.list.map((row) => row.gwid)).toEqual([seed.network.gwid]);
  });
});

describe('what a token may not do at all', () => {
  it('is what makes access wider, changes how its person signs in, or runs the installation', () => {
    const closed = guarded.filter((endpoint) => !takesTokens(endpoint)).map((endpoint) => endpoint.path);
    expect(closed.toSorted()).toEqual([
      '/api/v3/alarm_browser/delete',
      '/api/v3/alarm_browser/save',
      '/api/v3/billing/coupon/end',
      '/api/v3/billing/decision/confirm',
      '/api/v3/billing/decision/refuse',
      '/api/v3/billing/order/refund',
      '/api/v3/billing/order/settle',
      '/api/v3/billing/withdrawal/request',
      '/api/v3/cloud_backup/download',
      '/api/v3/install/account/lock',
      '/api/v3/install/account/reset',
      '/api/v3/install/account/sdwan',
      '/api/v3/install/claim',
      '/api/v3/install/clearing/arrival/create',
      '/api/v3/install/clearing/arrival/reverse',
      '/api/v3/install/clearing/payout/create',
      '/api/v3/install/clearing/payout/reverse',
      '/api/v3/install/clearing/statement/import',
      '/api/v3/install/coupon/end',
      '/api/v3/install/decision/confirm',
      '/api/v3/install/invoice/issue',
      '/api/v3/install/invoice/refuse',
      '/api/v3/install/mail/save',
      '/api/v3/install/mail/test',
      '/api/v3/install/map',
      '/api/v3/install/payment/save',
      '/api/v3/install/plugin/distrust',
      '/api/v3/install/plugin/import',
      '/api/v3/install/plugin/trust',
      '/api/v3/install/registration',
      '/api/v3/install/retention',
      '/api/v3/install/serial/transfer',
      '/api/v3/install/serial/withdraw',
      '/api/v3/install/sms/save',
      '/api/v3/install/sms/test',
      '/api/v3/install/transfer/bank/save',
      '/api/v3/install/transfer/confirm',
      '/api/v3/install/transfer/refuse',
      '/api/v3/install/withdrawal/approve',
      '/api/v3/install/withdrawal/pay',
      '/api/v3/install/withdrawal/payee',
      '/api/v3/install/withdrawal/refuse',
      '/api/v3/install/withdrawal/rule/confirm',
      '/api/v3/install/withdrawal/rule/refuse',
      '/api/v3/install/withdrawal/rule/save',
      '/api/v3/peripheral/snapshot',
      '/api/v3/profile/email',
      '/api/v3/profile/email_code',
      '/api/v3/profile/mobile',
      '/api/v3/profile/mobile_check',
      '/api/v3/qrcode/answer',
      '/api/v3/qrcode/look',
      '/api/v3/remote/credential/delete',
      '/api/v3/remote/credential/detail',
      '/api/v3/remote/credential/save',
      '/api/v3/remote/end',
      '/api/v3/remote/host_key/accept',
      '/api/v3/remote/link/create',
      '/api/v3/remote/link/list',
      '/api/v3/remote/link/revoke',
      '/api/v3/remote/list',
      '/api/v3/remote/open',
      '/api/v3/remote/recording/delete',
      '/api/v3/remote/recording/replay',
      '/api/v3/remote/settings',
      '/api/v3/remote/settings/save',
      '/api/v3/remote/targets',
      '/api/v3/remote/web/enter',
      '/api/v3/security/confirm',
      '/api/v3/security/passkey/begin',
      '/api/v3/security/passkey/create',
      '/api/v3/security/passkey/delete',
      '/api/v3/security/password',
      '/api/v3/security/recovery/renew',
      '/api/v3/security/session/end',
      '/api/v3/security/session/end_others',
      '/api/v3/security/token/create',
      '/api/v3/security/token/revoke',
      '/api/v3/security/totp/begin',
      '/api/v3/security/totp/disable',
      '/api/v3/security/totp/enable',
      '/api/v3/security/withdrawal_password',
      '/api/v3/sms/sale/save',
      '/api/v3/sms_code_for_mobile/:mobile',
    ]);
  });
});
