import { limits } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CreationOptions, SoftAuthenticator } from '../../../test/authenticator.ts';
import { appCode } from '../../../test/seed-personal.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createAccountKeys } from '../../platform/crypto/account-keys.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { passkeyRequest, relyingPartyOf, verifyPasskey } from '../identity/passkeys.ts';
import { hasSecondFactor, takeSecondFactor } from '../identity/second-factor.ts';

let server: TestServer;
const clock = new ManualClock(new Date(new Date().setUTCHours(4, 0, 0, 0)));
const step = 30_000;
const origin = 'http://localhost';

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const call = <T = { recovery_codes: string[] }>(path: string, input: object, as: { token: string }) =>
  server.call<T>(`/api/v3/security/${path}`, input, as);
const keyOf = ({ accountId, userId }: Registered) => ({ accountId, personId: userId });
const take = (owner: Registered, code: string, at = clock.now()) =>
  server.db.database.withSystem((tx) =>
    takeSecondFactor(tx, createAccountKeys(createSealer(server.db.masterKey)), keyOf(owner), code, at),
  );
const inUse = (owner: Registered) => server.db.database.withSystem((tx) => hasSecondFactor(tx, keyOf(owner)));

async function beginApp(owner: Registered): Promise<(offset?: number) => string> {
  const { data } = await call<{ secret: string; uri: string }>('totp/begin', {}, owner);
  expect(data.uri).toContain(data.secret);
  expect(data.uri).toMatch(/^otpauth:\/\/totp\/Yunxun:owner\d+%40example\.com\?issuer=Yunxun&secret=[A-Z2-7]{32}&/);
  return (offset = 0) => appCode(data.uri, new Date(clock.now().getTime() + offset));
}

describe('the authenticator app', () => {
  it('counts once a first code of it was seen', async () => {
    const owner = await server.register();
    const app = await beginApp(owner);
    expect(await inUse(owner)).toBe(false);
    expect(await take(owner, app())).toBeNull();
    const wrong = String((Number(app()) + 1) % 1_000_000).padStart(6, '0');
    expect((await call('totp/enable', { code: wrong }, owner)).code).toBe(4017);
    expect(await inUse(owner)).toBe(false);
    const on = await call('totp/enable', { code: app() }, owner);
    expect(on.code).toBe(2000);
    expect(await inUse(owner)).toBe(true);
    expect(new Set(on.data.recovery_codes).size).toBe(limits.recoveryCodes);
    for (const code of on.data.recovery_codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(await take(owner, app())).toBeNull();
  });

  it('takes a code one step early or late, never two, and each step once and in order', async () => {
    const owner = await server.register();
    const app = await beginApp(owner);
    await call('totp/enable', { code: app() }, owner);
    clock.advance(10 * step);
    expect(await take(owner, app(-2 * step))).toBeNull();
    expect(await take(owner, app(2 * step))).toBeNull();
    expect(await take(owner, app(-step))).toBe('totp');
    expect(await take(owner, app(-step))).toBeNull();
    expect(await take(owner, app(step))).toBe('totp');
    expect(await take(owner, app())).toBeNull();
    const code = app(2 * step);
    clock.advance(step);
    const both = await Promise.all([take(owner, code), take(owner, code)]);
    expect(both.filter(Boolean)).toEqual(['totp']);
  });

  it('is replaced by another without a moment in between', async () => {
    const owner = await server.register();
    const first = await beginApp(owner);
    const before = await call('totp/enable', { code: first() }, owner);
    clock.advance(step);
    const second = await beginApp(owner);
    expect(await take(owner, first())).toBe('totp');
    clock.advance(step);
    expect((await call('totp/enable', { code: second() }, owner)).code).toBe(2000);
    clock.advance(step);
    expect(await take(owner, first())).toBeNull();
    expect(await take(owner, before.data.recovery_codes[0]!)).toBeNull();
    expect(await take(owner, second())).toBe('totp');
  });

  it('is switched off with its recovery codes', async () => {
    const owner = await server.register();
    expect((await call('totp/disable', {}, owner)).code).toBe(4113);
    expect((await call('recovery/renew', {}, owner)).code).toBe(4113);
    const app = await beginApp(owner);
    const { data } = await call('totp/enable', { code: app() }, owner);
    clock.advance(step);
    expect((await call('totp/disable', {}, owner)).code).toBe(2000);
    expect(await inUse(owner)).toBe(false);
    for (const code of [app(), data.recovery_codes[0]!]) expect(await take(owner, code)).toBeNull();
    const inbox = await server.call<{ list: object[] }>('/api/v3/message/list', {}, owner);
    expect(inbox.data.list).toMatchObject([{ template: 'secondFactorOff' }, { template: 'secondFactorOn' }]);
  });

  it('keeps its secret sealed and its recovery codes as hashes', async () => {
    const owner = await server.register();
    const { data } = await call<{ secret: string; uri: string }>('totp/begin', {}, owner);
    const on = await call('totp/enable', { code: appCode(data.uri, clock.now()) }, owner);
    const { rows } = await server.db.database.systemPool.query<{ person: string; codes: string; log: string }>(
      `select row_to_json(p)::text as person,
        (select string_agg(encode(code_hash, 'escape'), ' ') from recovery_code r where r.person_id = p.id) as codes,
        (select string_agg(row_to_json(l)::text, ' ') from operation_log l where l.account_id = p.account_id) as log
       from person p where id = $1`,
      [owner.userId],
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain('person.enable_totp');
    for (const secret of [data.secret, ...on.data.recovery_codes, on.data.recovery_codes[0]!.replace('-', '')]) {
      expect(stored).not.toContain(secret);
    }
  });
});

describe('recovery codes', () => {
  it('work once each, however they are typed, and stop when they are renewed', async () => {
    const owner = await server.register();
    const app = await beginApp(owner);
    const { data } = await call('totp/enable', { code: app() }, owner);
    const [first, second, third] = data.recovery_codes as [string, string, string];
    expect(await Promise.all([take(owner, first), take(owner, first)])).toEqual(
      expect.arrayContaining(['recovery', null]),
    );
    expect(await take(owner, ` ${second.toLowerCase().replace('-', ' ')} `)).toBe('recovery');
    const renewed = await call('recovery/renew', {}, owner);
    expect(renewed.data.recovery_codes).toHaveLength(limits.recoveryCodes);
    expect(await take(owner, third)).toBeNull();
    expect(await take(owner, renewed.data.recovery_codes[0]!)).toBe('recovery');
    const stranger = await server.register();
    await call('totp/enable', { code: (await beginApp(stranger))() }, stranger);
    expect(await take(stranger, renewed.data.recovery_codes[1]!)).toBeNull();
  });
});

describe('passkeys', () => {
  type Begun = { ticket: string; options: CreationOptions & { [key: string]: unknown } };
  const begin = async (owner: Registered) => (await call<Begun>('passkey/begin', {}, owner)).data;
  const keep = (owner: Registered, ticket: string, response: unknown) =>
    call<{ id: string }>('passkey/create', { ticket, name: 'Laptop', response }, owner);
  const list = async (owner: Registered) =>
    (await call<{ passkeys: { id: string; name: string; last_used_at: string | null }[] }>('overview', {}, owner)).data
      .passkeys;

  async function made(owner: Registered): Promise<{ device: SoftAuthenticator; id: string }> {
    const device = new SoftAuthenticator(origin);
    const { ticket, options } = await begin(owner);
    const answer = await keep(owner, ticket, device.create(options));
    expect(answer.code, JSON.stringify(answer.errors ?? answer.message)).toBe(2000);
    return { device, id: answer.data.id };
  }

  const rp = relyingPartyOf(origin);
  /** Null for an invalid response. */
  const verify = async (challenge: string, response: unknown) => {
    const shown = await server.db.database.withSystem((tx) => verifyPasskey(tx, rp, challenge, response, clock.now()));
    return shown?.verified ? shown : null;
  };

  it('are requested as discoverable keys with user verification', async () => {
    const owner = await server.register();
    const { options } = await begin(owner);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Yunxun' },
      user: { name: owner.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const { device } = await made(owner);
    expect((await begin(owner)).options.excludeCredentials).toMatchObject([{ id: device.id.toString('base64url') }]);
    expect(await passkeyRequest(rp)).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  });

  it('sign for their person, and say when', async () => {
    const owner = await server.register();
    const { device, id } = await made(owner);
    expect(await list(owner)).toMatchObject([{ id, name: 'Laptop', last_used_at: null }]);
    const request = await passkeyRequest(rp);
    expect(await verify(request.challenge, device.get(request))).toMatchObject(keyOf(owner));
    expect(await list(owner)).toMatchObject([{ last_used_at: clock.now().toISOString() }]);
  });

  it('sign nothing when a field is unexpected', async () => {
    const owner = await server.register();
    const { device } = await made(owner);
    const request = await passkeyRequest(rp);
    const { challenge } = request;
    const odd = [
      device.get(request, { origin: 'http://localhost.example.com' }),
      device.get({ ...request, rpId: 'example.com' }),
      device.get({ ...request, challenge: (await passkeyRequest(rp)).challenge }),
      device.get(request, { verified: false }),
      new SoftAuthenticator(origin).get(request),
      { ...device.get(request), id: 'AAAA' },
      { id: device.id.toString('base64url') },
      { ...device.get(request), response: null },
      null,
      'text',
    ];
    for (const response of odd) expect(await verify(challenge, response)).toBeNull();
    const forged = device.get(request);
    const signature = Buffer.from(forged.response.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    forged.response.signature = signature.toString('base64url');
    expect(await verify(challenge, forged)).toBeNull();
    const moved = device.get(request);
    moved.response.userHandle = Buffer.from((await server.register()).userId).toString('base64url');
    expect(await verify(challenge, moved)).toBeNull();
    expect(await verify(challenge, device.get(request))).not.toBeNull();
  });

  it('are refused when their counter goes back: a copy', async () => {
    const owner = await server.register();
    const { device } = await made(owner);
    const use = async (counter: number) => {
      const request = await passkeyRequest(rp);
      return (await verify(request.challenge, device.get(request, { counter }))) !== null;
    };
    expect([await use(7), await use(7), await use(6), await use(8)]).toEqual([true, false, false, true]);
  });

  it('are kept with their ticket only, once, in time, by whom it was made for', async () => {
    const [owner, stranger] = [await server.register(), await server.register()];
    const device = new SoftAuthenticator(origin);
    const { ticket, options } = await begin(owner);
    const response = device.create(options);
    const theirs = await begin(stranger);
    expect((await keep(stranger, theirs.ticket, response)).status).toBe(422);
    expect((await keep(owner, theirs.ticket, response)).code).toBe(4014);
    expect((await keep(owner, ticket, response)).code).toBe(2000);
    expect((await keep(owner, ticket, response)).code).toBe(4014);
    const late = await begin(owner);
    clock.advance(limits.ticketMinutes * 60_000);
    owner.token = (await call('confirm', { password: owner.password }, owner)).token!;
    expect((await keep(owner, late.ticket, new SoftAuthenticator(origin).create(late.options))).code).toBe(4014);
    const again = await begin(owner);
    expect((await keep(owner, again.ticket, device.create(again.options))).status).toBe(422);
    expect(await list(owner)).toHaveLength(1);
    expect(await list(stranger)).toHaveLength(0);
  });

  it.each([
    ['another page', { origin: 'https://evil.example' }],
    ['an unverified person', { verified: false }],
  ])('are not kept from %s', async (_name, odd) => {
    const owner = await server.register();
    const { ticket, options } = await begin(owner);
    const answer = await keep(owner, ticket, new SoftAuthenticator(origin).create(options, odd));
    expect(answer).toMatchObject({ status: 422, errors: { response: [expect.any(String)] } });
    expect(await list(owner)).toEqual([]);
  });

  it('are so many at most, and sign no more once deleted', async () => {
    const owner = await server.register();
    const limit = limits.passkeysPerPerson;
    const waiting = await begin(owner);
    const all = [];
    for (let count = 0; count < limit; count += 1) all.push(await made(owner));
    const full = { code: 4106, data: { limit, used: limit } };
    expect(await call('passkey/begin', {}, owner)).toMatchObject(full);
    expect(await keep(owner, waiting.ticket, new SoftAuthenticator(origin).create(waiting.options))).toMatchObject(
      full,
    );
    const { device, id } = all[0]!;
    expect((await call('passkey/delete', { id }, owner)).code).toBe(2000);
    expect((await call('passkey/delete', { id }, owner)).code).toBe(4113);
    const request = await passkeyRequest(rp);
    expect(await verify(request.challenge, device.get(request))).toBeNull();
    expect((await begin(owner)).ticket).toBeTruthy();
  });
});
