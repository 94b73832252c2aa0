import { type AnyEndpoint, grantable, isGrantable, takesTokens } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, type NewApiToken } from '../src/features/identity/tokens.ts';
import { saveSmsSold } from '../src/features/sms/sale.ts';
import { administer, byPath, endpoints, guarded, knock, logHead, markers, namesObjects, send } from './endpoints.ts';
import { host, makeSeed, namedBy, type OwnedSeed } from './seed.ts';
import { type SeededPerson, seedPerson, signInAgain } from './seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let mine: OwnedSeed;
let stranger: SeededPerson;

beforeAll(async () => {
  server = await startTestServer();
  await saveSmsSold(server.db.database, true);
  mine = await makeSeed(server);
  stranger = await seedPerson(server);
});
afterAll(() => server.stop());

const claims = (endpoint: AnyEndpoint) => endpoint.path === '/api/v3/install/claim';

async function seedFor(endpoint: AnyEndpoint): Promise<OwnedSeed> {
  if (endpoint.effect === 'read' && endpoint.permission !== 'install.admin') return mine;
  const fresh = await makeSeed(server, namedBy(endpoint, mine.seed));
  if (endpoint.permission === 'install.admin') await administer(server, fresh.owner.userId);
  return fresh;
}

/** Without an administrator, the claim of the installation is open. */
async function withoutAdministrator(): Promise<void> {
  await server.db.database.systemPool.query('update person set administers = false where administers');
}

/** Cached, because tokens per person are limited. */
const tokens = new Map<string, Promise<{ token: string }>>();

/** A token acts like its owner wherever tokens are taken at all. */
function writingToken({ accountId, userId: personId }: Registered): Promise<{ token: string }> {
  const wanted: NewApiToken = { name: 'Nightly-job', scope: 'write', areas: null, gwids: null, days: 7 };
  const token =
    tokens.get(personId) ??
    server.db.database.withSystem((tx) => createToken(tx, { accountId, personId }, wanted, new Date()));
  tokens.set(personId, token);
  return token;
}

async function expectLoggedForToken({ accountId }: Registered): Promise<void> {
  const { rows } = await server.db.database.systemPool.query(
    'select source, token_name from operation_log where account_id = $1 order by seq desc limit 1',
    [accountId],
  );
  expect(rows).toEqual([{ source: 'api', token_name: 'Nightly-job' }]);
}

describe.each(byPath(guarded))('%s', (_path, endpoint) => {
  it('answers no request', async () => {
    const answer = await send(server, endpoint, mine.seed, {});
    if (endpoint.path === '/api/v3/user') expect(answer).toMatchObject({ status: 200, code: 4003 });
    else expect(answer).toMatchObject({ status: 401, code: 401 });
  });

  it('shows another owner nothing, and changes nothing', async () => {
    const before = await logHead(server, mine.owner.accountId);
    // a fresh session: confirmations stay valid
    const { token } = await signInAgain(server, stranger, new Date());
    const as = { token };
    const inside = await send(server, endpoint, mine.seed, { ...as, account: mine.owner.accountId });
    expect(inside).toMatchObject({ code: 4113, data: null });
    const peeping = await send(server, endpoint, mine.seed, { ...as, viewAs: `member:${mine.owner.userId}` });
    expect(peeping).toMatchObject({ code: 4113, data: null });
    if (endpoint.permission === 'install.admin') {
      expect((await send(server, endpoint, mine.seed, as)).code).toBe(4101);
    } else if (namesObjects(endpoint, mine.seed)) {
      expect(await send(server, endpoint, mine.seed, as)).toMatchObject({ code: 4113, data: null });
    } else if (endpoint.effect === 'read') {
      const shown = JSON.stringify(await send(server, endpoint, mine.seed, as));
      expect(markers(mine.seed).filter((id) => shown.includes(id))).toEqual([]);
    }
    expect(await logHead(server, mine.owner.accountId)).toBe(before);
  });

  it('serves the owner, and logs what changes', async () => {
    await withoutAdministrator();
    const { owner, seed } = await seedFor(endpoint);
    const before = await logHead(server, owner.accountId);
    // what leaves no row belongs to the session: signing out with a token revokes that
    const byToken = takesTokens(endpoint) && !endpoint.unaudited;
    const answer = await send(server, endpoint, seed, byToken ? await writingToken(owner) : owner);
    expect(answer.code, `${answer.message} ${JSON.stringify(answer.errors ?? answer.data)}`).toBe(2000);
    const after = await logHead(server, owner.accountId);
    if (endpoint.effect === 'read' || endpoint.unaudited) return expect(after).toBe(before);
    expect(after).toBeGreaterThan(before);
    if (byToken) await expectLoggedForToken(owner);
    // some calls end their own session
    const again = await signInAgain(server, { ...owner, personId: owner.userId }, new Date());
    await server.db.database.systemPool.query("update member set role = 'owner' where person_id = $1", [owner.userId]);
    const chain = await server.call<{ intact: boolean }>('/api/v3/log/action/verify', {}, again);
    expect(chain.data).toMatchObject({ intact: true });
  });

  it('serves an account that networks are hosted to, with all that can be ticked', async () => {
    await withoutAdministrator();
    // personal endpoints always use the own account
    if (endpoint.personal || claims(endpoint) || endpoint.path === '/api/v3/logout') return;
    const open = !endpoint.permission || isGrantable(endpoint.permission);
    const { owner, seed } = open ? await seedFor(endpoint) : mine;
    const guest = await seedPerson(server);
    await host(server, owner.accountId, guest.accountId, grantable);
    const before = await logHead(server, owner.accountId);
    const answer = await send(server, endpoint, seed, { token: guest.token, account: owner.accountId });
    if (open) return expect(answer.code).toBe(2000);
    expect(answer).toMatchObject({ code: 4101, data: { permission: endpoint.permission, reason: 'permission' } });
    expect(await logHead(server, owner.accountId)).toBe(before);
  });
});

describe('data of the person', () => {
  it.each(byPath(guarded.filter((endpoint) => endpoint.personal)))(
    '%s touches nothing of an account acted in',
    async (_path, endpoint) => {
      const guest = await seedPerson(server);
      const { rows } = await server.db.database.systemPool.query(
        'select id from hosting_grant where account_id = $1 and grantee_account_id = $2',
        [mine.owner.accountId, guest.accountId],
      );
      expect(rows).toEqual([]);
      await host(server, mine.owner.accountId, guest.accountId, grantable);
      const before = await logHead(server, mine.owner.accountId);
      const answer = await send(server, endpoint, mine.seed, { token: guest.token, account: mine.owner.accountId });
      expect(await logHead(server, mine.owner.accountId)).toBe(before);
      const shown = JSON.stringify(answer);
      expect(markers(mine.seed).filter((id) => shown.includes(id))).toEqual([]);
      if (namesObjects(endpoint, mine.seed)) expect([4101, 4113]).toContain(answer.code);
    },
  );
});

describe('a right for one network', () => {
  /** Scopes limited to the spare network, by each kind of right. */
  let narrowed: [string, As][];
  let member: SeededPerson;

  beforeAll(async () => {
    const { accountId } = mine.owner;
    const only = [mine.seed.spareNetwork.gwid];
    const guest = await seedPerson(server);
    await host(server, accountId, guest.accountId, grantable, only);
    member = await seedPerson(server);
    const auditor = await seedPerson(server);
    for (const [person, role] of [
      [member, 'operator'],
      [auditor, 'auditor'],
    ] as const) {
      await server.db.database.systemPool.query(
        'insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, $4, $5)',
        [accountId, person.userId, person.accountId, role, only],
      );
    }
    narrowed = [
      ['hosting', { token: guest.token, account: accountId }],
      ['a membership', { token: member.token, account: accountId }],
      ['an auditor', { token: auditor.token, account: accountId }],
      ['an owner who looks as a member', { token: mine.owner.token, viewAs: `member:${auditor.userId}` }],
    ];
  });

  it.each(byPath(guarded.filter((endpoint) => !endpoint.personal)))(
    '%s shows nothing of the others, and changes nothing',
    async (_path, endpoint) => {
      const before = await logHead(server, mine.owner.accountId);
      for (const [name, as] of narrowed) {
        const named = namesObjects(endpoint, mine.seed, mine.seed.spareNetwork.gwid);
        // changes are only probed for authorization
        const answer =
          named || endpoint.effect === 'read'
            ? await send(server, endpoint, mine.seed, as)
            : await knock(server, endpoint, as);
        const shown = JSON.stringify(answer);
        expect(
          markers(mine.seed).filter((id) => seenByAll(id) && shown.includes(id)),
          name,
        ).toEqual([]);
        if (named) expect([4101, 4113], name).toContain(answer.code);
      }
      expect(await logHead(server, mine.owner.accountId)).toBe(before);
    },
  );

  /** Exempts members, contacts and list filters, which belong to no network. */
  function seenByAll(id: string): boolean {
    const { member: person, delegation, invitation, view } = mine.seed;
    return ![person.id, delegation.id, invitation.id, view.id].includes(id);
  }

  it('narrows lists to it', async () => {
    for (const [name, as] of narrowed) {
      const list = await server.call<{ list: { gwid: string }[]; total: number }>('/api/v3/network/list', {}, as);
      expect(list.data, name).toMatchObject({ list: [{ gwid: mine.seed.spareNetwork.gwid }], total: 1 });
    }
  });

  it('makes no network', async () => {
    const admin = { permission: 'network.bind', reason: 'networks' };
    const [, guest] = narrowed[0]!;
    expect(await server.call('/api/v3/network/create', { remark: 'Mine' }, guest)).toMatchObject({
      code: 4101,
      data: admin,
    });
  });
});

describe('a locked account', () => {
  it('refuses every request: of its members and of its owner', async () => {
    const [closed, member] = [await makeSeed(server), await seedPerson(server)];
    const { systemPool } = server.db.database;
    const { accountId } = closed.owner;
    await systemPool.query(
      "insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, 'admin')",
      [accountId, member.userId, member.accountId],
    );
    await systemPool.query('update account set locked_at = now() where account_id = $1', [accountId]);
    const before = await logHead(server, accountId);
    for (const endpoint of guarded) {
      const inside = await send(server, endpoint, closed.seed, { token: member.token, account: accountId });
      expect(inside, endpoint.path).toMatchObject({ code: 4019, data: null });
      const own = await send(server, endpoint, closed.seed, closed.owner);
      expect(own.code, endpoint.path).toBe(endpoint.path === '/api/v3/user' ? 4003 : 401);
    }
    expect(await logHead(server, accountId)).toBe(before);
  });
});

describe('writes that leave no row', () => {
  it('say why', () => {
    const silent = endpoints.filter((endpoint) => endpoint.effect !== 'read' && endpoint.unaudited);
    expect(silent.map((endpoint) => endpoint.path).sort()).toEqual([
      '/api/v3/check_qrcode_id',
      '/api/v3/firmware/image/part',
      '/api/v3/login',
      '/api/v3/login/passkey',
      '/api/v3/login/passkey_options',
      '/api/v3/login/second_factor',
      '/api/v3/logout',
      '/api/v3/message/batch_delete',
      '/api/v3/message/delete',
      '/api/v3/message/read',
      '/api/v3/message/read_all',
      '/api/v3/mobile_login/get_sms_code',
      '/api/v3/open/hidden_star_dialog',
      '/api/v3/password/forgot',
      '/api/v3/password/forgot_code',
      '/api/v3/profile/email_code',
      '/api/v3/profile/mobile_check',
      '/api/v3/qrcode/answer',
      '/api/v3/qrcode/create',
      '/api/v3/register/get_email_code',
      '/api/v3/security/confirm',
      '/api/v3/security/passkey/begin',
      '/api/v3/security/totp/begin',
      '/api/v3/sms_code/login',
      '/api/v3/sms_code_for_mobile/:mobile',
    ]);
  });
});
