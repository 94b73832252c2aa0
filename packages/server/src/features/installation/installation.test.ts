import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataOf, installation } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { type FakeProvider, startFakeProvider } from '../../../test/fake-provider.ts';
import { type FakeSmtp, startFakeSmtp } from '../../../test/fake-smtp.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { issueServerCertificate, makeAuthority } from '../../uplink/certificates.ts';
import { createProviders } from './providers.ts';
import { newSetupToken } from './settings.ts';
import { administrator, smtp } from './testing/administrator.ts';

type Detail = DataOf<typeof installation.detail>;
type State = DataOf<typeof installation.state>;

let server: TestServer;
let admin: Registered;
let mailServer: FakeSmtp;
let smsProvider: FakeProvider;
const folder = mkdtempSync(join(tmpdir(), 'yunxun-install-'));
const now = new Date();
const another = await makeAuthority(now);
const shown = await issueServerCertificate(another, 'localhost', now);

beforeAll(async () => {
  for (const [name, text] of [
    ['ca.pem', `${another.certificate}\n${(await makeAuthority(now)).certificate}`],
    ['tls.pem', shown.certificate],
    ['tls.key', shown.key],
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
  [mailServer, smsProvider] = await Promise.all([startFakeSmtp(), startFakeProvider()]);
  server = await startTestServer({
    config: { deviceClientCas: [join(folder, 'ca.pem')], publicUrl: 'https://console.example.org' },
    providerEndpoints: { aliyun: smsProvider.url },
  });
  admin = await administrator(server);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([mailServer.stop(), smsProvider.stop()]);
  rmSync(folder, { recursive: true });
});

const detail = async () => (await server.call<Detail>('/api/v3/install/detail', {}, admin)).data;
const state = async () => (await server.call<State>('/api/v3/open/installation')).data;
const save = (what: 'mail' | 'sms', settings: object) => server.call(`/api/v3/install/${what}/save`, settings, admin);
const newEmail = () => `new${randomBytes(8).toString('hex')}@example.com`;
const newMobile = () => `139${String(randomBytes(4).readUInt32BE() % 1e8).padStart(8, '0')}`;
const lastOperation = async () => {
  type Row = { action: string; result: string; before: unknown; after: unknown; object: object };
  const { data } = await server.call<{ list: Row[] }>('/api/v3/log/action/list', { limit: 10 }, admin);
  return data.list[0]!;
};

describe('a person who is not the administrator', () => {
  it('gets the name of the missing permission, and no data', async () => {
    const stranger = await server.register();
    expect(await server.call('/api/v3/install/detail', {}, stranger)).toMatchObject({
      code: 4101,
      data: { permission: 'install.admin' },
    });
  });

  it('becomes it by the address that the installation names', async () => {
    const email = newEmail();
    const other = await startTestServer({ config: { adminEmail: email.toUpperCase() } });
    const first = await other.register();
    expect((await other.call('/api/v3/install/detail', {}, first)).code).toBe(4101);
    await other.call('/api/v3/register/get_email_code', { email });
    const code = other.outbox(email).at(-1)!.params.code;
    const password = 'correct1horse';
    const { token } = await other.call('/api/v3/register', {
      email,
      email_code: code,
      password,
      confirm_password: password,
    });
    const answer = await other.call<Detail>('/api/v3/install/detail', {}, { token: token! });
    expect(answer.data.administrators).toEqual([email]);
    await other.stop();
  });
});

describe('the set-up link', () => {
  it('works once', async () => {
    expect(await newSetupToken(server.db.database)).toBeNull();
    const late = await server.call('/api/v3/install/claim', { token: 'x'.repeat(43) }, await server.register());
    expect(late.code).toBe(4013);
    expect(await state()).toMatchObject({ has_administrator: true });
  });
});

describe('addresses and certificates', () => {
  it('are those that devices and browsers are shown', async () => {
    const { device, ...rest } = await detail();
    expect(rest).toMatchObject({ public_url: 'https://console.example.org', administrators: [admin.email] });
    expect(device).toMatchObject({ host: 'localhost', port: server.program.devicePort, names: ['localhost'] });
    expect(new Date(device.certificate_expires_at).getTime()).toBeGreaterThan(Date.now() + 300 * 86_400_000);
    const [ours, ...theirs] = device.authorities;
    expect(ours).toMatchObject({ ours: true, fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) });
    expect(theirs).toHaveLength(2);
    expect(theirs.every((one) => !one.ours && one.name !== '' && one.fingerprint !== ours!.fingerprint)).toBe(true);
  });

  it('say how this very request came', async () => {
    expect(await detail()).toMatchObject({ tls: 'none', tls_expires_at: null });
    const asked = await fetch(`${server.url}/api/v3/install/detail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'x-forwarded-proto': 'https' },
    });
    expect(((await asked.json()) as { data: Detail }).data).toMatchObject({ tls: 'proxy', tls_expires_at: null });
  });

  it('name the end of our own certificate', async () => {
    const tls = { certFile: join(folder, 'tls.pem'), keyFile: join(folder, 'tls.key') };
    const own = await startTestServer({ config: { tls } });
    const call = (path: string, body: object, token?: string) =>
      new Promise<{ token?: string; data: Detail }>((done, failed) => {
        const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
        const options = { method: 'POST', ca: another.certificate, headers };
        const sent = request(`https://localhost:${own.program.httpPort}${path}`, options, async (response) => {
          let text = '';
          for await (const part of response) text += part;
          done(JSON.parse(text));
        });
        sent.on('error', failed).end(JSON.stringify(body));
      });
    const email = newEmail();
    await call('/api/v3/register/get_email_code', { email });
    const [line] = own.outbox(email);
    const password = 'correct1horse';
    const { token } = await call('/api/v3/register', {
      email,
      email_code: line!.params.code,
      password,
      confirm_password: password,
    });
    await call('/api/v3/install/claim', { token: await newSetupToken(own.db.database) }, token);
    const { data } = await call('/api/v3/install/detail', {}, token);
    expect(data.tls).toBe('console');
    expect(data.tls_expires_at).toMatch(/^20\d\d-/);
    await own.stop();
  });
});

describe('registration', () => {
  it('is closed to strangers, and opened again by undoing', async () => {
    const email = newEmail();
    await server.call('/api/v3/install/registration', { open: false }, admin);
    expect(await state()).toMatchObject({ registration_open: false });
    expect((await detail()).registration_open).toBe(false);
    expect((await server.call('/api/v3/register/get_email_code', { email })).code).toBe(4011);
    const row = await lastOperation();
    expect(row).toMatchObject({
      action: 'installation.close_registration',
      before: { open: true },
      after: { open: false },
    });
    const { seq } = row as unknown as { seq: number };
    expect((await server.call('/api/v3/log/action/undo', { seq }, admin)).code).toBe(2000);
    expect(await state()).toMatchObject({ registration_open: true });
    expect((await server.call('/api/v3/register/get_email_code', { email })).code).toBe(2000);
  });
});

describe('mail', () => {
  it('leaves by the server that is set, at once and in every process', async () => {
    expect(await state()).toMatchObject({ outbox_sms: true, outbox_email: true });
    const elsewhere = createProviders({
      database: server.db.database,
      sealer: createSealer(server.db.masterKey),
      privateSmtp: true,
    });
    expect(await elsewhere.of('email')).toBeNull();
    expect((await save('mail', { ...smtp(mailServer.port), password: 'p@ss wörd' })).code).toBe(2000);
    expect(await state()).toMatchObject({ outbox_sms: true, outbox_email: false });
    expect(await elsewhere.of('email')).not.toBeNull();
    const email = newEmail();
    const asked = await server.call<{ outbox: boolean }>('/api/v3/register/get_email_code', { email });
    expect(asked.data.outbox).toBe(false);
    const mail = await eventually(() => {
      const found = mailServer.mails.find(({ to }) => to === email);
      expect(found).toBeDefined();
      return found!;
    });
    const code = /\d{6}/.exec(mail.text)?.[0];
    expect(mail).toMatchObject({
      user: 'console',
      password: 'p@ss wörd',
      from: 'console@example.org',
      headers: { subject: `Yunxun registration code ${code}` },
    });
    expect(server.outbox(email)).toEqual([]);
  });

  it('keeps its password to itself', async () => {
    expect((await detail()).mail).toEqual({ ...smtp(mailServer.port), has_password: true });
    expect(JSON.stringify(await lastOperation())).not.toContain('p@ss');
    const { rows } = await server.db.database.systemPool.query(
      "select value::text from installation where key = 'mail'",
    );
    expect(rows[0].value).not.toContain('p@ss');
    // a sealed value does not open under another context
    const sealed = Buffer.from(JSON.parse(rows[0].value).sealed, 'base64');
    const sealer = createSealer(server.db.masterKey);
    expect(sealer.open(sealed, 'installation mail secret').toString()).toBe('p@ss wörd');
    expect(() => sealer.open(sealed, 'installation sms secret')).toThrow('does not open');
  });

  it('changes the named fields only, so that two forms do not take each other back', async () => {
    for (const change of [{ from: 'one@example.org' }, { security: 'none' }])
      expect((await save('mail', change)).code).toBe(2000);
    expect((await detail()).mail).toEqual({
      ...smtp(mailServer.port),
      from: 'one@example.org',
      has_password: true,
    });
  });

  it('keeps the password that is left out, for the same server and user only', async () => {
    expect((await save('mail', { ...smtp(mailServer.port), from: 'other@example.org' })).code).toBe(2000);
    expect((await detail()).mail).toMatchObject({ from: 'other@example.org', has_password: true });
    for (const change of [{ host: 'localhost' }, { user: 'somebody' }]) {
      expect(await save('mail', { ...smtp(mailServer.port), ...change })).toMatchObject({
        status: 422,
        errors: { password: ['This field is required'] },
      });
    }
    expect(await save('mail', { ...smtp(mailServer.port), host: '', from: '' })).toMatchObject({
      errors: { host: ['This field is required'] },
    });
    expect((await save('mail', { ...smtp(mailServer.port), user: '' })).code).toBe(2000);
    expect((await detail()).mail.has_password).toBe(false);
  });

  it('is tested at once, in the words of the server', async () => {
    const to = newEmail();
    const taken = await server.call('/api/v3/install/mail/test', { to }, admin);
    expect(taken).toMatchObject({ code: 2000, data: { answer: '250 2.0.0 OK: queued as 4XyZ' } });
    expect(mailServer.mails.at(-1)).toMatchObject({ to, headers: { subject: 'Test message of your Yunxun console' } });
    expect(await lastOperation()).toMatchObject({ action: 'installation.test_provider', result: 'success' });
    mailServer.refusals.set('RCPT TO', '550 5.1.1 no such user');
    const refused = await server.call<{ reason: string }>('/api/v3/install/mail/test', { to }, admin);
    mailServer.refusals.clear();
    expect(refused).toMatchObject({ status: 200, code: 4020 });
    expect(refused.message).toContain('550 5.1.1 no such user');
    expect(refused.data.reason).toContain('550 5.1.1 no such user');
    expect(await lastOperation()).toMatchObject({ result: 'failed', after: { to: `n***@example.com` } });
    await save('mail', { ...smtp(1), user: '' });
    expect(await server.call('/api/v3/install/mail/test', { to }, admin)).toMatchObject({ status: 200, code: 4020 });
    await save('mail', { ...smtp(mailServer.port), provider: 'outbox', user: '' });
    expect(await server.call('/api/v3/install/mail/test', { to }, admin)).toMatchObject({
      data: { answer: 'outbox.ndjson' },
    });
    expect(server.outbox(to)).toMatchObject([{ template: 'test' }]);
  });
});

describe('SMS', () => {
  const aliyun = {
    provider: 'aliyun',
    key_id: 'LTAI5tExample',
    sender: '云巡',
    app_id: '',
    region: '',
    templates: { signInCode: 'SMS_1', test: 'SMS_2' },
  };

  it('ask for what the provider cannot do without', async () => {
    const required = ['This field is required'];
    expect(await save('sms', { ...aliyun, sender: '', secret: 's' })).toMatchObject({ errors: { sender: required } });
    expect(await save('sms', aliyun)).toMatchObject({ status: 422, errors: { secret: required } });
    expect(await save('sms', { ...aliyun, provider: 'tencent', secret: 's' })).toMatchObject({
      errors: { app_id: required },
    });
    expect((await save('sms', { ...aliyun, region: 'cn.evil.com/', secret: 's' })).status).toBe(422);
    expect((await save('sms', { ...aliyun, templates: { nothing: 'x' }, secret: 's' })).status).toBe(422);
    expect((await state()).outbox_sms).toBe(true);
  });

  it('leave by the provider that is set, and say which template is missing', async () => {
    smsProvider.answer = () => ({ body: { Code: 'OK', Message: 'OK', BizId: '1^0' } });
    expect((await save('sms', { ...aliyun, secret: 'the secret' })).code).toBe(2000);
    expect((await detail()).sms).toEqual({ ...aliyun, has_secret: true });
    expect(await state()).toMatchObject({ outbox_sms: false, outbox_email: true });
    const messageTemplates = (await detail()).sms_letters;
    expect(messageTemplates.find(({ template }) => template === 'signInCode')).toEqual({
      template: 'signInCode',
      text: expect.stringMatching(/^【云巡】登录验证码 \{code\}/),
      values: ['code', 'minutes'],
    });
    const mobile = newMobile();
    await server.call('/api/v3/mobile_login/get_sms_code', { mobile });
    await eventually(() =>
      expect(smsProvider.requests.map(({ query }) => query.get('PhoneNumbers'))).toContain(mobile),
    );
    const { query } = smsProvider.requests.find((one) => one.query.get('PhoneNumbers') === mobile)!;
    expect(JSON.parse(query.get('TemplateParam')!)).toEqual({ code: expect.stringMatching(/^\d{6}$/), minutes: '5' });
    const to = newMobile();
    expect(await server.call('/api/v3/install/sms/test', { to }, admin)).toMatchObject({
      data: { answer: 'OK: OK 1^0' },
    });
    await save('sms', { templates: { signInCode: '', test: '' } });
    expect((await detail()).sms).toMatchObject({ templates: {}, has_secret: true });
    await server.call('/api/v3/mobile_login/get_sms_code', { mobile: to });
    await eventually(async () =>
      expect(await detail()).toMatchObject({
        outbox_waiting: 1,
        outbox_failed: 0,
        outbox_troubles: [
          {
            channel: 'sms',
            template: 'signInCode',
            given_up: false,
            attempts: 1,
            reason: 'No template code is set for this kind of SMS',
            to: `${to.slice(0, 3)}****${to.slice(-4)}`,
          },
        ],
      }),
    );
  });

  it('do not show a secret to another provider', async () => {
    expect(await save('sms', { ...aliyun, provider: 'twilio' })).toMatchObject({
      status: 422,
      errors: { secret: [expect.any(String)] },
    });
    expect((await save('sms', { ...aliyun, provider: 'outbox' })).code).toBe(2000);
    expect((await detail()).sms).toMatchObject({ provider: 'outbox', has_secret: false });
  });
});

describe('how long data is kept', () => {
  const change = (days: object, as: { token: string } = admin) => server.call('/api/v3/install/retention', days, as);
  const kept = async () => Object.fromEntries((await detail()).retention.map(({ kind, days }) => [kind, days]));

  it('is shown and changed kind by kind, within what the screens need, and logged', async () => {
    const before = await kept();
    expect(before).toEqual({
      reports: 3,
      fine: 14,
      hours: 400,
      days: 3660,
      terminals: 8,
      sessions: 90,
      visits: 400,
      stations: 400,
    });
    expect(await change({ reports: 7, sessions: 30, stations: 90 })).toMatchObject({ code: 2000 });
    expect(await kept()).toEqual({ ...before, reports: 7, sessions: 30, stations: 90 });
    expect(await lastOperation()).toMatchObject({
      action: 'installation.save_retention',
      before: { retention_reports: 3, retention_sessions: 90, retention_stations: 400 },
      after: { retention_reports: 7, retention_sessions: 30, retention_stations: 90 },
    });
    for (const wrong of [{ reports: 1 }, { hours: 31 }, { fine: 401 }, { fine: 3.5 }]) {
      expect((await change(wrong)).errors).toHaveProperty(Object.keys(wrong)[0]!);
    }
    expect(await kept()).toEqual({ ...before, reports: 7, sessions: 30, stations: 90 });
  });

  it('cannot be changed by any other person', async () => {
    expect(await change({ reports: 9 }, await server.register())).toMatchObject({ code: 4101 });
    expect((await kept()).reports).not.toBe(9);
  });
});
