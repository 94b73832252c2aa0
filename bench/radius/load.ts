import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** Per run, and at once. */
export const requests = 20_000;
export const parallel = 100;
export const secret = 'secret-of-the-bench-0123456789ab';

export type Kind = 'PAP' | 'CHAP' | 'accounting';

const lines: Readonly<Record<Kind, (at: number) => string[]>> = {
  PAP: (at) => [`User-Name = "guest-${at}"`, 'User-Password = "one-time"', 'Message-Authenticator = 0x00'],
  CHAP: (at) => [`User-Name = "guest-${at}"`, 'CHAP-Password = "one-time"', 'Message-Authenticator = 0x00'],
  accounting: (at) => [
    'Acct-Status-Type = Start',
    `Acct-Session-Id = "session-${at}"`,
    `User-Name = "guest-${at}"`,
    'Acct-Session-Time = 0',
    'Calling-Station-Id = "9c-00-00-00-00-01"',
  ],
};

export interface Run {
  perSecond: number;
  lost: number;
}

export async function run(file: string, kind: Kind, port: number): Promise<Run> {
  writeFileSync(file, Array.from({ length: requests }, (_, at) => lines[kind](at).join('\n')).join('\n\n'));
  const args = ['-q', '-s', '-r', '1', '-t', '5', '-p', String(parallel), '-f', file, `127.0.0.1:${port}`];
  const began = performance.now();
  const child = spawn('/usr/bin/radclient', [...args, kind === 'accounting' ? 'acct' : 'auth', secret]);
  const [out, output] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const seconds = (performance.now() - began) / 1000;
  const answered = /(?:Access-Accepts|Accepted)\s*:\s*(\d+)/.exec(out + output)?.[1];
  if (answered === undefined) throw new Error(`radclient: ${out}${output}`);
  return { perSecond: requests / seconds, lost: requests - Number(answered) };
}
