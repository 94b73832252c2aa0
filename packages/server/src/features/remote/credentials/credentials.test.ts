import { generateKeyPairSync } from 'node:crypto';
import ssh from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices } from '../../../../test/conformance/device-client.ts';
import { host } from '../../../../test/seed.ts';
import { seedPerson } from '../../../../test/seed-account.ts';
import type { As } from '../../../../test/server.ts';
import { AgentFixture, ed25519Key, type SshHost, sshHost } from '../testing/agent-fixture.ts';

let fixture: AgentFixture;
let last = 10;

beforeAll(async () => {
  fixture = await AgentFixture.start();
});
afterEach(() => fixture.endAll());
afterAll(async () => {
  await endDevices();
  await fixture.stop();
});

type Kept = { user: string; kind: string; fits: boolean } | null;
const path = '/api/v3/remote/credential';
const save = (body: object, as: As = fixture.owner) => fixture.server.call(`${path}/save`, { version: 0, ...body }, as);
const detail = async (target: object) => {
  const { data } = await fixture.server.call<{ kept: Kept }>(`${path}/detail`, target, fixture.owner);
  return data.kept;
};

/** A host that counts sign-ins, at an address of its own. */
async function target(how: SshHost = {}) {
  last += 1;
  const ip = `192.168.7.${last}`;
  return { ip, ...(await fixture.peripheral(ip, sshHost(how))) };
}

const byKey =
  (key: ssh.ParsedKey): SshHost['signIn'] =>
  (context) => {
    const isRight = context.method === 'publickey' && context.key.data.equals(key.getPublicSSH());
    if (!isRight) return context.reject(['publickey']);
    if (context.signature && !key.verify(context.blob!, context.signature, context.hashAlgo)) return context.reject();
    context.accept();
  };

const byPrompt: SshHost['signIn'] = (context) => {
  if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
  context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
    if (answers[0] === 'right') context.accept();
    else context.reject(['keyboard-interactive']);
  });
};

/** Opens a terminal, and trusts the host's first key as the page does it. */
async function openTrusting({ peripheral_id }: { peripheral_id: string }) {
  const session = await fixture.open({ peripheral_id }, 'ssh');
  const { known, offered } = await session.page.hears('host_key');
  expect(known).toBeNull();
  const accepted = await fixture.call('remote/host_key/accept', { id: session.id, fingerprint: offered });
  expect(accepted.code).toBe(2000);
  session.page.say({ type: 'trusted' });
  return session;
}

describe('a kept password', () => {
  it('waits until a person trusts the first key, then signs in by itself', async () => {
    let tried = 0;
    const signIn: SshHost['signIn'] = (context) => {
      tried += 1;
      if (context.method === 'password' && context.password === 'right') context.accept();
      else context.reject(['password']);
    };
    const { peripheral_id } = await target({ signIn });
    expect((await save({ peripheral_id, user: 'root', password: 'right' })).code).toBe(2000);
    const { id, page } = await fixture.open({ peripheral_id }, 'ssh');
    const { offered } = await page.hears('host_key');
    expect([tried, page.shown]).toEqual([0, '']);
    await fixture.call('remote/host_key/accept', { id, fingerprint: offered });
    page.say({ type: 'trusted' });
    expect(await page.hears('signed_in')).toEqual({ type: 'signed_in', user: 'root' });
    await page.shows('welcome$ ');
    const again = await fixture.open({ peripheral_id }, 'ssh');
    await again.page.shows('welcome$ ');
    expect(again.page.outputs.map(({ type }) => type)).not.toContain('host_key');
  });

  it('is sent to no host whose key a page only claims to be trusted', async () => {
    const { peripheral_id } = await target();
    await save({ peripheral_id, user: 'root', password: 'right' });
    const { page } = await fixture.open({ peripheral_id }, 'ssh');
    await page.hears('host_key');
    page.say({ type: 'trusted' });
    expect(await page.hears('end')).toMatchObject({ reason: 'host_key' });
    expect(page.shown).toBe('');
  });

  it('is sent to no host with another key', async () => {
    const one = await target();
    await save({ peripheral_id: one.peripheral_id, user: 'root', password: 'right' });
    await (await openTrusting(one)).page.shows('welcome$ ');
    let tried = 0;
    await fixture.lead(
      one.ip,
      sshHost({
        key: ed25519Key(),
        signIn(context) {
          tried += 1;
          context.reject();
        },
      }),
    );
    const { page } = await fixture.open({ peripheral_id: one.peripheral_id }, 'ssh');
    expect(await page.hears('end')).toMatchObject({ reason: 'host_key' });
    expect(tried).toBe(0);
  });

  it('is asked for when the host refuses it', async () => {
    const one = await target();
    await save({ peripheral_id: one.peripheral_id, user: 'root', password: 'old' });
    const { page } = await openTrusting(one);
    expect(await page.hears('login')).toEqual({ type: 'login', again: false, refused: 'root' });
    page.say({ type: 'login', user: 'root', password: 'right' });
    await page.shows('welcome$ ');
  });

  it('answers the single hidden prompt of a host', async () => {
    const one = await target({ signIn: byPrompt });
    await save({ peripheral_id: one.peripheral_id, user: 'root', password: 'right' });
    const { page } = await openTrusting(one);
    await page.shows('welcome$ ');
  });

  it('is not used at another address', async () => {
    const one = await target();
    await save({ peripheral_id: one.peripheral_id, user: 'root', password: 'right' });
    expect(await detail({ peripheral_id: one.peripheral_id })).toMatchObject({
      user: 'root',
      kind: 'password',
      fits: true,
    });
    const other = await target();
    await fixture.call('peripheral/delete', { ids: [other.peripheral_id] });
    await fixture.call('peripheral/update', { id: one.peripheral_id, ip: other.ip });
    expect(await detail({ peripheral_id: one.peripheral_id })).toMatchObject({ fits: false });
    const { page } = await fixture.open({ peripheral_id: one.peripheral_id }, 'ssh');
    expect(await page.hears('login')).toMatchObject({ again: false, refused: null });
  });
});

describe('a kept key', () => {
  const passphrase = 'correct horse';
  const locked = { passphrase, cipher: 'aes256-ctr', rounds: 4 } as const;
  it.each([
    ['Ed25519 in OpenSSH format', () => ed25519Key(locked)],
    ['RSA in OpenSSH format', () => ssh.utils.generateKeyPairSync('rsa', { bits: 2048, ...locked }).private],
    ['ECDSA in OpenSSH format', () => ssh.utils.generateKeyPairSync('ecdsa', { bits: 256, ...locked }).private],
    [
      'RSA in PEM format',
      () =>
        generateKeyPairSync('rsa', { modulusLength: 2048 })
          .privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase })
          .toString(),
    ],
  ])('signs in (%s), and does not open without its passphrase', async (_form, make) => {
    const key = make();
    const parsed = ssh.utils.parseKey(key, passphrase) as ssh.ParsedKey;
    const one = await target({ signIn: byKey(parsed) });
    const wrong = await save({ peripheral_id: one.peripheral_id, user: 'root', key, passphrase: 'wrong' });
    expect([wrong.status, Object.keys(wrong.errors ?? {})]).toEqual([422, ['passphrase']]);
    expect((await save({ peripheral_id: one.peripheral_id, user: 'root', key })).status).toBe(422);
    expect((await save({ peripheral_id: one.peripheral_id, user: 'root', key, passphrase })).code).toBe(2000);
    expect(await detail({ peripheral_id: one.peripheral_id })).toMatchObject({ user: 'root', kind: 'key' });
    const { page } = await openTrusting(one);
    await page.shows('welcome$ ');
  });

  it('is refused if it is none, or if its passphrase takes long', async () => {
    const one = await target();
    const slow = Buffer.from(
      `openssh-key-v1\0${'\0\0\0\x04none'}${'\0\0\0\x06bcrypt'}${'\0\0\0\x08\0\0\0\0\0\0\x10\0'}`,
    );
    const begins = '-----BEGIN OPENSSH PRIVATE KEY-----';
    for (const key of ['none', `${begins}\n`, `${begins}\n${slow.toString('base64')}\n`]) {
      const { status, errors } = await save({ peripheral_id: one.peripheral_id, user: 'root', key, passphrase });
      expect([status, Object.keys(errors ?? {})]).toEqual([422, ['key']]);
    }
    expect((await save({ peripheral_id: one.peripheral_id, user: 'root' })).status).toBe(422);
    expect((await save({ peripheral_id: one.peripheral_id, user: 'root', key: 'x', password: 'x' })).status).toBe(422);
  });
});

describe('the secret', () => {
  it('is in no answer, no log row and no column', async () => {
    const one = await target();
    const secret = 'unmistakable-4711';
    await save({ peripheral_id: one.peripheral_id, user: 'root', password: secret });
    await save({ peripheral_id: one.peripheral_id, user: 'admin', password: secret, version: 1 });
    expect((await save({ peripheral_id: one.peripheral_id, user: 'root', password: 'x', version: 1 })).code).toBe(4104);
    const { server, owner } = fixture;
    const answer = await server.call(`${path}/detail`, { peripheral_id: one.peripheral_id }, owner);
    const { rows } = await server.db.database.systemPool.query(
      `select (select json_agg(l) from operation_log l where account_id = $1)::text as log,
         (select json_agg(c) from remote_credential c where account_id = $1)::text as kept`,
      [owner.accountId],
    );
    const { log, kept } = rows[0] as { log: string; kept: string };
    expect(log).toContain('remote.credential');
    const hex = Buffer.from(secret).toString('hex');
    for (const text of [JSON.stringify(answer.data), log, kept]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hex);
    }
    expect((await fixture.call('remote/credential/delete', { peripheral_id: one.peripheral_id })).code).toBe(2000);
    expect(await detail({ peripheral_id: one.peripheral_id })).toBeNull();
    expect((await fixture.call('remote/credential/delete', { peripheral_id: one.peripheral_id })).code).toBe(4113);
  });

  it('is set by persons who may change networks and open terminals, and used without the first', async () => {
    const { server, owner } = fixture;
    const one = await target();
    const guest = await seedPerson(server);
    await host(server, owner.accountId, guest.accountId, ['network.read', 'remote.use']);
    const as = { token: guest.token, account: owner.accountId };
    const refused = await save({ peripheral_id: one.peripheral_id, user: 'root', password: 'right' }, as);
    expect(refused).toMatchObject({ code: 4101, data: { permission: 'network.write' } });
    expect((await server.call(`${path}/detail`, { peripheral_id: one.peripheral_id }, as)).code).toBe(2000);
  });
});
