import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import { readRequest, type TestSession } from '@yunxun/edge/testing';
import { expect, it } from 'vitest';
import { type LabHost, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

let lab: Lab;
let host: LabHost;
labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  host = own(await startHost(lab));
});

interface Kept {
  key: string;
  certificate: string;
  next?: { key: string; certificate: string };
}
const file = () => `${host.folder}/etc/yunxun-edge/identity.json`;
const kept = () => JSON.parse(readFileSync(file(), 'utf8')) as Kept;
const shownBy = ({ request }: TestSession) => (request.socket as TLSSocket).getPeerCertificate().fingerprint256;
const printOf = (certificate: string) => new X509Certificate(certificate).fingerprint256;

async function signed(session: TestSession): Promise<string> {
  session.raw({ jsonrpc: '2.0', method: 'yunxun.renew', params: {} });
  const { publicKey, commonName } = readRequest(String((await session.message('yunxun.renew')).params.csr));
  return host.console.authority.device(publicKey, commonName);
}

it('with a key that was made on the box; the old one is gone from it once the new one was online', async () => {
  const session = await host.start();
  const before = kept();
  expect(shownBy(session)).toBe(printOf(before.certificate));
  const certificate = await signed(session);
  const opened = host.console.connected();
  session.raw({ jsonrpc: '2.0', method: 'yunxun.certificate', params: { certificate } });
  const renewed = await opened;
  expect(shownBy(renewed)).toBe(printOf(certificate));
  await expect.poll(() => kept().next).toBeUndefined();
  const after = kept();
  expect(after.certificate).toBe(certificate);
  expect(after.key).not.toBe(before.key);
  expect(readFileSync(file(), 'utf8')).not.toContain(before.key.split('\n')[1]);
  expect(statSync(file()).mode & 0o077).toBe(0);
});

it('killed before it could try the new one, it tries it at the next start', async () => {
  const session = await host.start();
  const certificate = await signed(session);
  // no reconnect before the kill
  await lab.wan(1, 'silent');
  session.raw({ jsonrpc: '2.0', method: 'yunxun.certificate', params: { certificate } });
  await lab.wan(1, 'mended');
  await expect.poll(() => kept().next?.certificate ?? kept().certificate).toBe(certificate);
  await host.end('SIGKILL');
  const again = await host.start();
  expect(shownBy(again)).toBe(printOf(certificate));
  await expect.poll(() => kept().next).toBeUndefined();
  expect(kept().certificate).toBe(certificate);
});
