import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollTimeoutMs } from '../../../../../tools/poll-timeout.ts';
import { grantOf, type RadiusServer, startRadius } from './testing/fixture.ts';
import { msChap2Attributes } from './testing/requests.ts';

const program = '/usr/bin/radclient';

interface Asked {
  nas: { source: string; secret: string };
  lines: string[];
  identifier?: number;
}

/** Sends once; returns radclient's output within `seconds`. */
async function radclient(
  port: number,
  kind: 'auth' | 'acct',
  { nas, lines }: Asked,
  seconds = pollTimeoutMs / 1000,
): Promise<string> {
  const child = spawn(program, ['-x', '-r', '1', '-t', String(seconds), `127.0.0.1:${port}`, kind, nas.secret]);
  child.stdin.end(`${[`Packet-Src-IP-Address = ${nas.source}`, ...lines].join('\n')}\n`);
  const [out, output] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + output;
}

describe.skipIf(!existsSync(program) && !process.env.CI)("Debian's radclient", () => {
  let radius: RadiusServer;
  let names = 0;

  beforeAll(async () => {
    radius = await startRadius();
  });
  afterAll(() => radius.server.stop());

  function credential(): { username: string; password: string } {
    names += 1;
    const [username, password] = [`visitor-${names}`, `a one-time password of visitor ${names}`];
    radius.gate.credentials.set(username, { password, grant: grantOf(username) });
    return { username, password };
  }

  const signed = 'Message-Authenticator = 0x00';

  it.each([
    ['PAP', 'User-Password', []],
    ['PAP with Message-Authenticator', 'User-Password', [signed]],
    ['CHAP', 'CHAP-Password', []],
    ['CHAP with Message-Authenticator', 'CHAP-Password', [signed]],
  ])('is let in by %s, and reads the limits', async (_, attribute, more) => {
    const nas = await radius.nas();
    const { username, password } = credential();
    const lines = [`User-Name = "${username}"`, `${attribute} = "${password}"`, ...more];
    const output = await radclient(radius.auth, 'auth', { nas, lines });
    expect(output).toContain('Received Access-Accept');
    for (const line of [
      'Session-Timeout = 3600',
      'Acct-Interim-Interval = 300',
      'WISPr-Bandwidth-Max-Up = 512000',
      'ChilliSpot-Bandwidth-Max-Down = 2048',
      'Mikrotik-Rate-Limit = "512k/2048k"',
    ]) {
      expect(output).toContain(line);
    }
    // the first attribute of the answer
    expect(output.slice(output.indexOf('Received'))).toMatch(
      /^Received [^\n]*\n\s+Message-Authenticator = 0x[0-9a-f]{32}\n/,
    );
  });

  it('is let in by MS-CHAPv2, and refused with what its MS-CHAP-Password sends, which is version 1', async () => {
    const nas = await radius.nas();
    const { username, password } = credential();
    const one = [`User-Name = "${username}"`, `MS-CHAP-Password = "${password}"`, signed];
    expect(await radclient(radius.auth, 'auth', { nas, lines: one })).toContain('Received Access-Reject');
    const { challenge, response, success } = msChap2Attributes(username, password);
    const hex = (value: Buffer | string) => Buffer.from(value).toString('hex');
    const lines = [
      `User-Name = "${username}"`,
      `MS-CHAP-Challenge = 0x${hex(challenge)}`,
      `MS-CHAP2-Response = 0x${hex(response)}`,
      signed,
    ];
    const output = await radclient(radius.auth, 'auth', { nas, lines });
    expect(output).toContain('Received Access-Accept');
    expect(output).toContain(`MS-CHAP2-Success = 0x07${hex(success)}`);
  });

  it.each(['User-Password', 'CHAP-Password'])('is rejected with a wrong %s', async (attribute) => {
    const nas = await radius.nas();
    const { username } = credential();
    const lines = [`User-Name = "${username}"`, `${attribute} = "guess"`, signed];
    expect(await radclient(radius.auth, 'auth', { nas, lines })).toContain('Received Access-Reject');
  });

  it('gets no answer with a wrong secret', async () => {
    const nas = { ...(await radius.nas()), secret: 'not this one' };
    const { username, password } = credential();
    const lines = [`User-Name = "${username}"`, `User-Password = "${password}"`, signed];
    expect(await radclient(radius.auth, 'auth', { nas, lines }, 2)).toContain('No reply');
    const forged = accounting('Start', 'forged', 0);
    expect(await radclient(radius.acct, 'acct', { nas, lines: forged }, 2)).toContain('No reply');
  });

  const accounting = (status: string, session: string, seconds: number): string[] => [
    `Acct-Status-Type = ${status}`,
    `Acct-Session-Id = "${session}"`,
    'User-Name = "somebody"',
    `Acct-Session-Time = ${seconds}`,
    'Acct-Output-Octets = 7',
    'Acct-Output-Gigawords = 1',
  ];

  it('has its accounting acknowledged', async () => {
    const nas = await radius.nas();
    for (const [at, status] of ['Start', 'Interim-Update', 'Stop'].entries()) {
      const output = await radclient(radius.acct, 'acct', { nas, lines: accounting(status, 'session', at) });
      expect(output).toContain('Received Accounting-Response');
    }
    expect(radius.gate.events.map(({ kind, downBytes }) => [kind, downBytes])).toEqual(
      ['start', 'interim', 'stop'].map((kind) => [kind, 2 ** 32 + 7]),
    );
  });
});
