import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSerial } from '../../../test/conformance/device-client.ts';
import { makeKey, makeRequest } from '../../../test/conformance/peer/identity.ts';
import { loginOf, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const atOnce = <T>(count: number, send: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => send(at)));
const codesOf = (answers: readonly { code: number }[]) => [...new Set(answers.map(({ code }) => code))];
const failures = async (reason: string) => {
  const { rows } = await server.db.database.systemPool.query<{ count: number }>(
    'select count(*)::int as count from sign_in_log where account_id = $1 and reason = $2',
    [owner.accountId, reason],
  );
  return rows[0]!.count;
};

describe('secrets that are sent at once', () => {
  beforeAll(async () => {
    owner = await server.register();
  });

  it('are none refused while they are right: passwords, confirmations, second factors', async () => {
    expect(codesOf(await atOnce(30, () => server.call('/api/v3/login', loginOf(owner))))).toEqual([2000]);
    const { password } = owner;
    const sessions = await atOnce(10, () => server.call('/api/v3/login', loginOf(owner)));
    const confirmed = await atOnce(20, (at) =>
      server.call('/api/v3/security/confirm', { password }, { token: sessions[at % 10]!.token! }),
    );
    // a confirmed session gets a new token, so a later call with the old one is signed out
    expect(codesOf(confirmed).filter((code) => code !== 401)).toEqual([2000]);
  });

  it('are checked at most five times while they are wrong, and the right one waits for the lock', async () => {
    const wrong = { ...loginOf(owner), password: 'wrong1Horse' };
    const answers = await atOnce(60, () => server.call('/api/v3/login', wrong));
    expect(codesOf(answers).toSorted()).toEqual([4006, 4009]);
    expect(await failures('wrong_password')).toBe(5);
    expect(await failures('locked')).toBe(55);
    expect((await server.call('/api/v3/login', loginOf(owner))).code).toBe(4009);
  });

  it('let one second factor in by one ticket, and count no try for its repetitions', async () => {
    owner = await server.register();
    const { data } = await server.call<{ secret: string }>('/api/v3/security/totp/begin', {}, owner);
    const totp = new TOTP({ secret: Secret.fromBase32(data.secret) });
    expect((await server.call('/api/v3/security/totp/enable', { code: totp.generate() }, owner)).code).toBe(2000);
    await server.db.database.systemPool.query('update person set totp_last_step = 0 where account_id = $1', [
      owner.accountId,
    ]);
    const { ticket } = (await server.call<{ ticket: string }>('/api/v3/login', loginOf(owner))).data;
    const answers = await atOnce(4, () =>
      server.call('/api/v3/login/second_factor', { ticket, code: totp.generate() }),
    );
    expect(answers.filter(({ code }) => code === 2000)).toHaveLength(1);
    expect(await failures('wrong_second_factor')).toBe(0);
  });

  it('are binding codes, of which an address has twenty wrong ones checked', async () => {
    const enrol = (binding_code: string) => {
      const serial = newSerial();
      const input = { binding_code, serial, csr: makeRequest(serial, makeKey()), platform: 'ap', model: 'EAP102' };
      return server.call('/api/v3/device/enroll', input);
    };
    expect(codesOf(await atOnce(30, () => enrol(owner.bindingCode)))).toEqual([2000]);
    const wrong = await atOnce(60, () => enrol('AAAAA-00000'));
    expect(wrong.filter(({ status }) => status === 422)).toHaveLength(20);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(40);
  });
});
