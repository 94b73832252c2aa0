import { X509Certificate } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type Bus, createLocalBus } from '../platform/bus/index.ts';
import { ManualClock } from '../platform/clock.ts';
import { createAccountKeys } from '../platform/crypto/account-keys.ts';
import { createSealer } from '../platform/crypto/index.ts';
import { newId } from '../platform/database/id.ts';
import { Failure } from '../platform/failure.ts';
import { createGuessSlots } from '../platform/guesses/index.ts';
import { createPresenceStore } from '../telemetry/presence.ts';
import { createAdmission } from './admission.ts';
import { type Authority, loadAuthority } from './authority.ts';
import { type EnrolmentOptions, enrol, releaseDevice, revokeDevice } from './enrolment.ts';
import { createDevicePasswords } from './passwords.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { Enrolment, EnrolmentAsk, Lapse } from './ports.ts';
import { sessionSubject } from './subjects.ts';
import { makeRequest } from './testing/device-keys.ts';

const hour = 3_600_000;
const sealer = createSealer(Buffer.alloc(32, 1));
const clock = new ManualClock(new Date('2026-11-20T12:00:00Z'));
const [home, away] = [newId(), newId()];
let db: TestDatabase;
let bus: Bus;
let authority: Authority;
let enrolled: Enrolment[];
let lapsed: Lapse[];
let orders: unknown[];
let asks: EnrolmentAsk[];
let leave: 'allowed' | 'waiting' | 'refused';
let refuseWith: Failure | null;
let options: EnrolmentOptions;
let count = 0;
let serial: string;

beforeAll(async () => {
  db = await createTestDatabase();
  for (const account of [home, away]) {
    await sql`insert into account (account_id, name, binding_code) values (${account}, 'A', ${account})`.execute(
      db.database.system,
    );
  }
  authority = await loadAuthority(db.database, sealer, 'console.example.net', clock);
});
afterAll(() => db.drop());
beforeEach(async () => {
  await sql`delete from throttle`.execute(db.database.system);
  count += 1;
  serial = `903cb3${count.toString(16).padStart(6, '0')}`;
  enrolled = [];
  lapsed = [];
  orders = [];
  asks = [];
  leave = 'waiting';
  refuseWith = null;
  bus = createLocalBus(() => undefined);
  bus.subscribe('dev.>', (order, subject) => orders.push({ subject, order }));
  options = {
    database: db.database,
    bus,
    clock,
    authority,
    guesses: createGuessSlots({ database: db.database, clock }),
    clientCas: [],
    refusals: { record: () => undefined },
    gate: {
      async resolve(_tx, code) {
        const accountId = { HOME: home, AWAY: away }[code];
        return accountId === undefined ? undefined : { accountId, codeId: null };
      },
      ask: async (_tx, ask) => {
        asks.push(ask);
        return leave;
      },
      used: async () => undefined,
    },
    handlers: {
      enrolled: async (_tx, enrolment) => {
        if (refuseWith) throw refuseWith;
        enrolled.push(enrolment);
      },
      lapsed: async (_tx, lapse) => void lapsed.push(lapse),
      taken: async () => undefined,
    },
  };
});

async function ask(code = 'HOME', more: { csr?: string; gwid?: string } = {}): Promise<PeerIdentity> {
  const csr = more.csr ?? (await makeRequest(serial)).csr;
  const request = {
    bindingCode: code,
    serial,
    csr,
    platform: 'ap',
    model: 'EAP102',
    gwid: more.gwid ?? null,
    renews: false,
    proof: null,
    address: '192.0.2.9',
  };
  const { fingerprint, notAfter } = await enrol(options, request);
  return { serial, fingerprint, ours: true, notAfter };
}
const admit = (peer: PeerIdentity) => createAdmission(db.database).admit(peer);
const open = (peer: PeerIdentity, accountId = home) =>
  createPresenceStore(db.database).open(
    { accountId, serial },
    { node: newId(), address: '192.0.2.9', peer, at: clock.now() },
  );

describe('enrolment', () => {
  test('gives a certificate that the port admits, and calls the handler in the same transaction', async () => {
    const peer = await ask('HOME', { gwid: '0199d0aa-0000-7000-8000-000000000001' });
    expect(await admit(peer)).toEqual({ accountId: home, shared: false });
    expect(enrolled).toEqual([
      {
        accountId: home,
        serial,
        at: clock.now(),
        address: '192.0.2.9',
        platform: 'ap',
        model: 'EAP102',
        gwid: '0199d0aa-0000-7000-8000-000000000001',
        again: false,
        proven: false,
      },
    ]);
  });

  test('leaves nothing behind when the program refuses it', async () => {
    refuseWith = new Failure('notFound');
    await expect(ask()).rejects.toBe(refuseWith);
    refuseWith = null;
    expect(await ask('AWAY').then(admit)).toEqual({ accountId: away, shared: false });
  });

  test('refuses a wrong binding code and a wrong request beside their fields', async () => {
    await expect(ask('NOBODY')).rejects.toMatchObject({
      errors: { binding_code: [{ key: 'validation.bindingCode' }] },
    });
    const other = (await makeRequest('903cb3ffffff')).csr;
    await expect(ask('HOME', { csr: other })).rejects.toMatchObject({
      errors: { csr: [{ key: 'validation.csrName' }] },
    });
    await expect(ask('HOME', { csr: 'x' })).rejects.toMatchObject({ errors: { csr: [{ key: 'validation.csr' }] } });
    expect(enrolled).toEqual([]);
  });

  test('slows down an address that tries codes, and lets it enrol as much as it likes with a right one', async () => {
    for (let n = 0; n < 20; n += 1) await expect(ask('NOBODY')).rejects.toMatchObject({ errors: {} });
    await expect(ask('HOME')).rejects.toMatchObject({ code: 'tooManyRequests', params: { seconds: 60 } });
    clock.advance(60_000);
    for (let n = 0; n < 25; n += 1) await ask('HOME');
    expect(enrolled).toHaveLength(25);
  });

  test('in the same account again revokes the certificate before, cuts its session, and says so', async () => {
    const first = await ask();
    await open(first);
    leave = 'allowed';
    const second = await ask();
    expect(await admit(first)).toEqual({ refused: 'certificate-revoked' });
    expect(await open(first)).toBeNull();
    expect(await admit(second)).toEqual({ accountId: home, shared: false });
    expect(await open(second)).toEqual({ epoch: 2 });
    expect(enrolled.map(({ again }) => again)).toEqual([false, true]);
    expect(orders).toEqual([
      { subject: sessionSubject({ accountId: home, serial }), order: { type: 'cut', reason: 'revoked' } },
    ]);
  });

  test('of a device that was online is refused until a person allows it, and changes nothing meanwhile', async () => {
    const first = await ask();
    await open(first);
    await expect(ask()).rejects.toMatchObject({ code: 'enrolmentWaits', params: { serial, address: '192.0.2.9' } });
    leave = 'refused';
    await expect(ask()).rejects.toMatchObject({ code: 'enrolmentRefused' });
    expect(await admit(first)).toEqual({ accountId: home, shared: false });
    expect(orders).toEqual([]);
    expect(asks).toHaveLength(2);
    expect(asks[0]).toMatchObject({ serial, address: '192.0.2.9', platform: 'ap', model: 'EAP102', codeId: null });
  });

  test('in another account is refused while the device is bound', async () => {
    const peer = await ask();
    await expect(ask('AWAY')).rejects.toMatchObject({ code: 'boundElsewhere' });
    clock.advance(23 * hour);
    await expect(ask('AWAY')).rejects.toMatchObject({ code: 'boundElsewhere' });
    expect(await admit(peer)).toEqual({ accountId: home, shared: false });
  });

  test('in another account takes over an enrolment unused for 24 hours', async () => {
    const peer = await ask();
    clock.advance(24 * hour + 1);
    const second = await ask('AWAY');
    expect(await admit(peer)).toEqual({ refused: 'certificate-unknown' });
    expect(await admit(second)).toEqual({ accountId: away, shared: false });
    expect(lapsed).toEqual([{ accountId: home, serial, at: clock.now() }]);
    expect(enrolled.at(-1)).toMatchObject({ accountId: away, again: false });
  });

  test('in another account never takes over a device that connected once', async () => {
    await open(await ask());
    clock.advance(1000 * hour);
    await expect(ask('AWAY')).rejects.toMatchObject({ code: 'boundElsewhere' });
  });

  test('of two accounts at once is won by one', async () => {
    const outcomes = await Promise.allSettled([ask('HOME'), ask('AWAY'), ask('AWAY'), ask('HOME')]);
    const accounts = new Set(enrolled.map(({ accountId }) => accountId));
    expect(accounts.size).toBe(1);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(
      outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'boundElsewhere'),
    ).toHaveLength(2);
  });
});

describe('a device that is let go', () => {
  test('is refused, its session cut, its serial free for another account', async () => {
    const peer = await ask();
    await open(peer);
    await db.database.withTenant({ accountId: home, userId: null, gwids: null }, (tx) =>
      releaseDevice(tx, bus, { accountId: home, serial }, clock.now()),
    );
    expect(orders.at(-1)).toMatchObject({ order: { type: 'cut', reason: 'unbound' } });
    expect(await admit(peer)).toEqual({ refused: 'unbound' });
    expect(await open(peer)).toBeNull();
    const there = await ask('AWAY');
    expect(await admit(there)).toEqual({ accountId: away, shared: false });
    expect(await admit(peer)).toEqual({ refused: 'unbound' });
    expect(await createAdmission(db.database).wasUnboundElsewhere({ accountId: away, serial })).toBe(true);
    expect(await createAdmission(db.database).wasUnboundElsewhere({ accountId: home, serial })).toBe(false);
  });

  test("is none of another account's business", async () => {
    const peer = await ask();
    const stranger = { accountId: away, userId: null, gwids: null };
    await expect(
      db.database.withTenant(stranger, (tx) => releaseDevice(tx, bus, { accountId: home, serial }, clock.now())),
    ).rejects.toThrow();
    expect(await admit(peer)).toEqual({ accountId: home, shared: false });
    expect(orders).toEqual([]);
  });

  test('can be revoked and enrol again', async () => {
    const peer = await ask();
    expect(await db.database.withSystem((tx) => revokeDevice(tx, bus, { accountId: home, serial }, clock.now()))).toBe(
      1,
    );
    expect(await admit(peer)).toEqual({ refused: 'certificate-revoked' });
    leave = 'allowed';
    expect(await ask().then(admit)).toEqual({ accountId: home, shared: false });
  });
});

describe('a certificate of a binding that ended', () => {
  const release = () =>
    db.database.withSystem((tx) => releaseDevice(tx, bus, { accountId: home, serial }, clock.now()));

  test('is unbound although it had been revoked before', async () => {
    const peer = await ask();
    await db.database.withSystem((tx) => revokeDevice(tx, bus, { accountId: home, serial }, clock.now()));
    expect(await admit(peer)).toEqual({ refused: 'certificate-revoked' });
    await release();
    expect(await admit(peer)).toEqual({ refused: 'unbound' });
  });

  test('is only revoked once its account has bound the device again', async () => {
    const before = await ask();
    await release();
    const after = await ask();
    expect(await admit(before)).toEqual({ refused: 'certificate-revoked' });
    expect(await admit(after)).toEqual({ accountId: home, shared: false });
  });

  test('says nothing about a later certificate that a restored console does not know', async () => {
    const peer = await ask();
    await release();
    const later = { ...peer, fingerprint: 'e'.repeat(64) };
    expect(await admit(later)).toEqual({ refused: 'not-enrolled' });
  });
});

describe('a certificate of another authority', () => {
  test('is admitted for an enrolled serial, remembered at the first session, and can be revoked', async () => {
    await ask();
    const foreign = {
      serial,
      fingerprint: 'f'.repeat(63) + count.toString(16).slice(-1),
      ours: false,
      notAfter: new Date('2030-01-01'),
    };
    expect(await admit(foreign)).toEqual({ accountId: home, shared: false });
    expect(await open(foreign)).toEqual({ epoch: 1 });
    await db.database.withSystem((tx) => revokeDevice(tx, bus, { accountId: home, serial }, clock.now()));
    expect(await admit(foreign)).toEqual({ refused: 'certificate-revoked' });
    expect(await open(foreign)).toBeNull();
  });

  test('is refused for a serial that was never enrolled', async () => {
    expect(await admit({ serial, fingerprint: 'f'.repeat(64), ours: false, notAfter: new Date() })).toEqual({
      refused: 'not-enrolled',
    });
  });
});

describe('the authority', () => {
  test('is made once, also by two that start together, and its keys are sealed', async () => {
    const other = await createTestDatabase();
    const [one, two] = await Promise.all(
      [1, 2].map(() => loadAuthority(other.database, sealer, 'a.example.net', clock)),
    );
    expect(one).toMatchObject({ certificate: two?.certificate, server: two?.server });
    const { rows } = await sql<{
      all: string;
    }>`select installation_authority::text as all from installation_authority`.execute(other.database.system);
    expect(rows[0]?.all).not.toContain('PRIVATE KEY');
    await expect(
      loadAuthority(other.database, createSealer(Buffer.alloc(32, 2)), 'a.example.net', clock),
    ).rejects.toThrow();
    await other.drop();
  });

  test('names the server anew when its name changes, and near its end; devices go on trusting it', async () => {
    const renamed = await loadAuthority(db.database, sealer, 'new.example.net', clock);
    expect(renamed.certificate).toBe(authority.certificate);
    expect(renamed.serverNames).toEqual(['new.example.net']);
    expect(await loadAuthority(db.database, sealer, 'new.example.net', clock)).toMatchObject({
      server: renamed.server,
    });
    const later = new ManualClock(new Date('2046-06-01T00:00:00Z'));
    const renewed = await loadAuthority(db.database, sealer, 'new.example.net', later);
    expect(renewed.server.certificate).not.toBe(renamed.server.certificate);
    expect(
      new X509Certificate(renewed.server.certificate).verify(new X509Certificate(authority.certificate).publicKey),
    ).toBe(true);
  });
});

test("a device's password is kept sealed", async () => {
  await ask();
  const passwords = createDevicePasswords(db.database, createAccountKeys(sealer));
  const device = { accountId: home, serial };
  await passwords.store(device, 'first', clock.now());
  await passwords.store(device, 'second', clock.now());
  expect(await passwords.read(device)).toBe('second');
  expect(await passwords.read({ accountId: home, serial: '000000000000' })).toBeNull();
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from device_password where serial = ${serial}`.execute(
    db.database.system,
  );
  expect(rows[0]?.sealed.toString('latin1')).not.toContain('second');
});
