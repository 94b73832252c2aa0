import { execFileSync, spawnSync } from 'node:child_process';
import { verify, X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { enrol } from './enrol.ts';
import { certificateRequest, createKey } from './identity.ts';
import { ManualClock } from './manual-clock.ts';
import { TestConsole, type TestConsoleOptions } from './testing/index.ts';

let testConsole: TestConsole | null = null;
afterEach(async () => testConsole?.stop());

async function serve(options: TestConsoleOptions = {}): Promise<string> {
  testConsole = await TestConsole.start(options);
  return testConsole.url;
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('certificate request', () => {
  it.skipIf(!hasOpenssl && !process.env.CI)('is one that openssl reads and whose signature it finds good', async () => {
    const request = certificateRequest(await createKey(), '53494d00000a');
    const text = execFileSync('openssl', ['req', '-noout', '-verify', '-subject', '-text'], {
      input: request,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    expect(text).toMatch(/CN ?= ?53494d00000a/);
    expect(text).toContain('ecdsa-with-SHA256');
  });
});

describe('enrolment', () => {
  it('trades the binding code for a certificate of the key that stayed here', async () => {
    const url = await serve();
    const identity = await enrol({ consoleUrl: url, bindingCode: 'AB12', serial: '53494d00000a', platform: 'ap' });
    expect(testConsole?.enrolments[0]).toMatchObject({ binding_code: 'AB12', serial: '53494d00000a', platform: 'ap' });
    const certificate = new X509Certificate(identity.certificate);
    expect(certificate.subject).toBe('CN=53494d00000a');
    expect(certificate.checkPrivateKey((await import('node:crypto')).createPrivateKey(identity.key))).toBe(true);
    expect(identity.port).toBe(testConsole?.devicePort);
  });

  it('says the console’s own code and words when it is refused', async () => {
    const url = await serve({
      refusals: [{ status: 200, body: { code: 4112, message: 'bound elsewhere', data: null } }],
    });
    await expect(enrol({ consoleUrl: url, bindingCode: 'X', serial: '53494d00000a' })).rejects.toMatchObject({
      name: 'EnrolmentRefused',
      code: 4112,
      message: expect.stringContaining('bound elsewhere'),
    });
  });

  it('proves by an earlier certificate and its key that the device asks itself', async () => {
    const url = await serve();
    const request = { consoleUrl: url, bindingCode: 'X', serial: '53494d00000a' };
    const before = await enrol(request);
    await enrol({ ...request, proof: before });
    const { csr, proof } = testConsole!.enrolments[1] as { csr: string; proof: Record<string, string> };
    expect(testConsole?.enrolments[0]?.proof).toBeUndefined();
    expect(proof.certificate).toBe(before.certificate);
    const { publicKey } = new X509Certificate(before.certificate);
    expect(verify('sha256', Buffer.from(csr), publicKey, Buffer.from(proof.signature!, 'base64'))).toBe(true);
  });

  it('asks again while a person has to allow it, and says so once', async () => {
    const waiting = { status: 200, body: { code: 4117, message: 'Allow it in the console', data: null } };
    const url = await serve({ refusals: [waiting, waiting] });
    const clock = new ManualClock(0);
    const logged: string[] = [];
    const onWaiting = (message: string) => logged.push(message);
    const enrolled = enrol({ consoleUrl: url, bindingCode: 'X', serial: '53494d00000a', clock, onWaiting });
    for (const asked of [1, 2]) {
      await expect.poll(() => [testConsole?.enrolments.length, clock.pending]).toEqual([asked, 1]);
      clock.advance(5000);
    }
    expect((await enrolled).server).toBe('localhost');
    expect(logged).toEqual([expect.stringContaining('Allow it in the console')]);
    const [first, , last] = testConsole!.enrolments;
    expect(last).toEqual(first);
  });

  it('waits out a request for patience', async () => {
    const url = await serve({ refusals: [{ status: 429, body: {}, headers: { 'retry-after': '0' } }] });
    const identity = await enrol({ consoleUrl: url, bindingCode: 'X', serial: '53494d00000a' });
    expect(identity.server).toBe('localhost');
    expect(testConsole?.enrolments).toHaveLength(2);
  });

  it('reports that the console does not answer', async () => {
    const request = { consoleUrl: 'http://127.0.0.1:9', bindingCode: 'X', serial: '53494d00000a' };
    await expect(enrol(request)).rejects.toThrow(/the console at http:\/\/127\.0\.0\.1:9 cannot be reached: /);
  });

  it.each([
    ['no JSON', '<html>'],
    ['a success without a certificate', { code: 2000, message: '', data: { port: 1 } }],
  ])('refuses %s', async (_name, body) => {
    const url = await serve({ refusals: [{ status: 200, body }] });
    await expect(enrol({ consoleUrl: url, bindingCode: 'X', serial: '53494d00000a' })).rejects.toMatchObject({
      name: 'EnrolmentRefused',
    });
  });
});
