import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type FakeSmtp, startFakeSmtp } from '../../../test/fake-smtp.ts';
import { issueServerCertificate, makeAuthority } from '../../uplink/certificates.ts';
import { DeliveryError, type Outgoing } from './message.ts';
import { type SmtpSettings, smtpAdapter } from './smtp.ts';

const server: FakeSmtp = await startFakeSmtp();
afterAll(() => server.stop());
beforeEach(() => {
  server.mails.splice(0);
  server.heard.splice(0);
  server.refusals.clear();
});

const settings: SmtpSettings = {
  host: '127.0.0.1',
  port: server.port,
  security: 'none',
  user: 'console',
  password: 'p@ss wörd',
  from: 'console@example.org',
  privateAddresses: true,
};
const message: Outgoing = {
  id: '0198a1b2-0000-7000-8000-000000000001',
  at: '2026-01-01T00:00:00.000Z',
  channel: 'email',
  to: 'li@example.com',
  template: 'registerCode',
  params: {},
  subject: '云巡注册验证码 123456',
  text: '您的注册验证码是 123456。\n\n如非本人操作，请忽略本邮件。',
  html: null,
  attachment: null,
};
const send = (change: Partial<SmtpSettings> = {}, more: Partial<Outgoing> = {}, timeout?: number) =>
  smtpAdapter({ ...settings, ...change }, timeout).send({ ...message, ...more });
const trouble = async (sending: Promise<string>): Promise<DeliveryError> => {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DeliveryError);
  return error as DeliveryError;
};

it('hands a mail over and answers what the server said', async () => {
  expect(await send()).toBe('250 2.0.0 OK: queued as 4XyZ');
  expect(server.mails).toMatchObject([
    {
      from: 'console@example.org',
      to: 'li@example.com',
      user: 'console',
      password: 'p@ss wörd',
      headers: {
        subject: '云巡注册验证码 123456',
        from: 'Yunxun <console@example.org>',
        to: 'li@example.com',
        'message-id': '<0198a1b2-0000-7000-8000-000000000001@example.org>',
        'auto-submitted': 'auto-generated',
      },
      text: expect.stringContaining('您的注册验证码是 123456。\n\n如非本人操作，请忽略本邮件。'),
    },
  ]);
});

it('repeats a mail under the same message id', async () => {
  await send();
  await send();
  const [first, second] = server.mails.map((mail) => mail.headers['message-id']);
  expect(second).toBe(first);
});

it('signs in only with a user', async () => {
  await send({ user: '' });
  expect(server.mails).toMatchObject([{ user: null, password: null }]);
  expect(server.heard).not.toContain('AUTH');
});

it('takes no header and no second recipient from what it is given', async () => {
  await send({}, { subject: 'Hello\r\nBcc: other@example.com', to: 'li@example.com' });
  expect(server.mails[0]!.headers).not.toHaveProperty('bcc');
  server.heard.splice(0);
  await send({}, { to: 'a@example.com>\r\nRCPT TO:<b@example.com' }).catch(() => undefined);
  expect(server.heard.filter((command) => command === 'RCPT TO').length).toBeLessThan(2);
});

it('distinguishes permanent rejections of a recipient from temporary ones', async () => {
  server.refusals.set('RCPT TO', '550 5.1.1 no such user');
  expect(await trouble(send())).toMatchObject({ message: /550 5.1.1 no such user/, permanent: true });
  server.refusals.set('RCPT TO', '450 4.2.0 try later');
  expect(await trouble(send())).toMatchObject({ message: /450 4.2.0 try later/, permanent: false });
  server.refusals.clear();
  server.refusals.set('AUTH', '535 5.7.8 bad password');
  expect(await trouble(send())).toMatchObject({ message: /535 5.7.8 bad password/, permanent: false });
  server.refusals.clear();
  server.refusals.set('MAIL FROM', '553 5.7.1 not your address');
  expect(await trouble(send())).toMatchObject({ message: /553 5.7.1 not your address/, permanent: false });
});

it('never sends its password without TLS when STARTTLS is required', async () => {
  expect((await trouble(send({ security: 'starttls' }))).message).toMatch(/STARTTLS/i);
  expect(server.heard).not.toContain('AUTH');
});

it('never sends its password to a server with an untrusted certificate', async () => {
  const now = new Date();
  const { certificate: cert, key } = await issueServerCertificate(await makeAuthority(now), 'localhost', now);
  const heard: string[] = [];
  const tls = createServer({ cert, key }, (socket: TLSSocket) => {
    socket.write('220 mail.test ESMTP\r\n');
    socket.on('data', (chunk) => heard.push(chunk.toString()));
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((done) => tls.listen(0, '127.0.0.1', done));
  const { port } = tls.address() as AddressInfo;
  expect((await trouble(send({ host: 'localhost', port, security: 'tls' }))).message).toMatch(/certificate/);
  expect(heard).toEqual([]);
  await new Promise((done) => tls.close(done));
});

it('repeats nothing of what greets it and is no mail server', async () => {
  const other = createPlainServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-Secret_9.9\r\n'));
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  expect((await trouble(send({ port }))).message).toBe('not_smtp');
  await new Promise((done) => other.close(done));
});

it.each([
  '127.0.0.1',
  'localhost',
  '10.1.2.3',
  '169.254.169.254',
  '192.168.0.9',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::a00:1',
  'fd00::1',
])('connects to %s only where private addresses are allowed', async (host) => {
  expect((await trouble(send({ host, privateAddresses: false }))).message).toBe('private_address');
  expect(server.heard).toEqual([]);
});

it('waits no longer than it has patience', async () => {
  server.refusals.set('MAIL FROM', '');
  expect(await trouble(send({}, {}, 200))).toMatchObject({
    message: 'no_answer',
    permanent: false,
  });
  expect(await trouble(send({ port: 1 }))).toMatchObject({ message: /ECONNREFUSED/, permanent: false });
});
