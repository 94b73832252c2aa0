import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentFirmware } from '../firmware.ts';
import { certificateRequest, createKey } from '../identity.ts';
import { readRequest } from '../testing/authority.ts';
import { type Rig, settled, startRig, TestAuthority, type TestSession } from '../testing/index.ts';
import type { PinnedIdentity } from './identity-file.ts';
import { isDue, Renewal } from './renewal.ts';

let rig: Rig;
let renewal: Renewal;
let kept: PinnedIdentity[];
let logged: string[];
let ends: string[];
let full: boolean;

async function start(): Promise<void> {
  rig = await startRig({
    firmware: agentFirmware,
    onCommand: (method, params) => void renewal.onCommand(method, params),
    observer(change) {
      if (change.change === 'online') renewal.online();
      if (change.change !== 'offline') return;
      renewal.offline();
      ends.push(change.end.kind);
    },
  });
  begin({ ...rig.identity, console: rig.console.url });
}

function begin(identity: PinnedIdentity): void {
  renewal = new Renewal({
    identity,
    clock: rig.clock,
    keep(fresh) {
      if (full) throw new Error('ENOSPC');
      kept.push(fresh);
    },
    send(method, params) {
      if (rig.client.online) rig.client.send(method, params);
      return rig.client.online;
    },
    show: (shown) => rig.client.show(shown),
    reconnect: () => rig.client.loseLink(0),
    log: (line) => logged.push(line),
  });
  rig.client.show(renewal.shown);
}

beforeEach(async () => {
  kept = [];
  logged = [];
  ends = [];
  full = false;
  await start();
});
afterEach(() => rig.stop());

const shownBy = ({ request }: TestSession) => (request.socket as TLSSocket).getPeerCertificate().fingerprint256;
const printOf = (certificate: string) => new X509Certificate(certificate).fingerprint256;

async function asked(session: TestSession): Promise<string> {
  session.raw({ jsonrpc: '2.0', method: 'yunxun.renew', params: {} });
  const { params } = await session.message('yunxun.renew');
  expect(params.serial).toBe(rig.identity.serial);
  return String(params.csr);
}

function answer(session: TestSession, params: Record<string, unknown>): void {
  session.raw({ jsonrpc: '2.0', method: 'yunxun.certificate', params });
}

async function next(session: Promise<TestSession>): Promise<TestSession> {
  rig.clock.advance(0);
  const opened = await session;
  await opened.message('connect');
  return opened;
}

it('makes a key here, tries what came back with a new session, and lets go of the old key once that is open', async () => {
  const first = await rig.connected();
  expect(shownBy(first)).toBe(printOf(rig.identity.certificate));
  const { publicKey, commonName } = readRequest(await asked(first));
  const certificate = rig.console.authority.device(publicKey, commonName);
  const opened = rig.console.session();
  answer(first, { certificate });
  await settled(() => kept.length === 1);
  // a power cut now leaves both on disk
  expect(kept[0]).toMatchObject({ certificate: rig.identity.certificate, next: { certificate } });
  expect(shownBy(await next(opened))).toBe(printOf(certificate));
  expect(kept).toHaveLength(2);
  expect(kept[1]).toMatchObject({ certificate, key: kept[0]?.next?.key });
  expect(kept[1]).not.toHaveProperty('next');
  expect(kept[1]?.key).not.toBe(rig.identity.key);
});

it('goes on with the old one when the console does not take the new one', async () => {
  const key = await createKey();
  const { publicKey, commonName } = readRequest(certificateRequest(key, rig.identity.serial));
  const next = { key, certificate: new TestAuthority().device(publicKey, commonName) };
  begin({ ...rig.identity, console: rig.console.url, next });
  await rig.client.start('coldboot');
  await settled(() => ends.length === 1);
  const opened = rig.console.session();
  rig.clock.advance(60_000);
  expect(shownBy(await opened)).toBe(printOf(rig.identity.certificate));
  await settled(() => kept.length === 1);
  expect(kept[0]).not.toHaveProperty('next');
  expect(kept[0]?.certificate).toBe(rig.identity.certificate);
});

it('tries the newer one first after a start that found both, and the other one after it', async () => {
  const first = await rig.connected();
  const { publicKey, commonName } = readRequest(await asked(first));
  answer(first, { certificate: rig.console.authority.device(publicKey, commonName) });
  await settled(() => kept.length === 1);
  const both = kept[0]!;
  begin(both);
  expect(renewal.shown).toMatchObject(both.next!);
  renewal.offline();
  expect(renewal.shown).toMatchObject({ key: both.key, certificate: both.certificate });
  renewal.offline();
  expect(renewal.shown).toMatchObject(both.next!);
});

it.each<[string, (publicKey: Buffer, serial: string) => string, RegExp]>([
  ['of another key', () => rig.identity.certificate, /another key/],
  ['of another serial', (key) => rig.console.authority.device(key, '02aa00000001'), /another box/],
  ['by another authority', (key, serial) => new TestAuthority().device(key, serial), /authority of the enrolment/],
  ['that is none', () => 'hello', /not renewed/],
])('does not take a certificate %s', async (_what, make, words) => {
  const session = await rig.connected();
  const { publicKey, commonName } = readRequest(await asked(session));
  answer(session, { certificate: make(publicKey, commonName) });
  await settled(() => logged.length > 0);
  expect(logged[0]).toMatch(words);
  expect(kept).toEqual([]);
  expect(rig.client.online).toBe(true);
});

it('takes none that it did not ask for, and says why one was refused', async () => {
  const session = await rig.connected();
  answer(session, { certificate: rig.identity.certificate });
  await session.command('ping', {});
  expect([kept, logged]).toEqual([[], []]);
  await asked(session);
  answer(session, { refused: 'often' });
  await settled(() => logged.length > 0);
  expect(logged[0]).toMatch(/refuses it \(often\)/);
});

it('stays with the old one where the new one cannot be written down', async () => {
  const session = await rig.connected();
  const { publicKey, commonName } = readRequest(await asked(session));
  full = true;
  answer(session, { certificate: rig.console.authority.device(publicKey, commonName) });
  await settled(() => logged.length > 0);
  expect(logged[0]).toMatch(/cannot be kept: ENOSPC/);
  expect(renewal.shown.certificate).toBe(rig.identity.certificate);
  await session.command('ping', {});
});

it('asks by itself in the last third of the life, once an hour', async () => {
  const { certificate } = rig.identity;
  const { validFrom, validTo } = new X509Certificate(certificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const due = from + ((to - from) * 2) / 3;
  expect([isDue(certificate, due - 1000), isDue(certificate, due + 1000)]).toEqual([false, true]);

  const session = await rig.connected();
  const requests = () => session.messages.filter(({ method }) => method === 'yunxun.renew').length;
  await renewal.look();
  const now = { value: due + 1000 };
  rig.clock.now = () => now.value;
  await renewal.look();
  await renewal.look();
  await session.until(() => requests() === 1);
  now.value += 3_600_000;
  await renewal.look();
  await session.until(() => requests() === 2);
});
