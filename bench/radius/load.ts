import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** Per run, and at once; guests among whom they are shared. */
export const requests = 20_000;
export const parallel = 100;
export const guests = 2000;
export const secret = 'secret-of-the-bench-0123456789ab';
export const password = 'one-time';

export const nameOf = (guest: number) => `guest-${guest}`;
const macOf = (guest: number) => `9C000000${guest.toString(16).padStart(4, '0')}`;

type Lines = (at: number) => string[];

const asks =
  (attribute: string): Lines =>
  (at) => [
    `User-Name = "${nameOf(at % guests)}"`,
    `${attribute} = "${password}"`,
    `Calling-Station-Id = "${macOf(at % guests)}"`,
    `Acct-Session-Id = "session-${at % guests}"`,
    'Message-Authenticator = 0x00',
  ];

const reports =
  (status: 'Start' | 'Interim-Update'): Lines =>
  (at) => [
    `Acct-Status-Type = ${status}`,
    `Acct-Session-Id = "session-${at % guests}"`,
    `User-Name = "${nameOf(at % guests)}"`,
    `Calling-Station-Id = "${macOf(at % guests)}"`,
    `Acct-Session-Time = ${Math.floor(at / guests)}`,
    `Acct-Input-Octets = ${at}`,
    `Acct-Output-Octets = ${10 * at}`,
  ];

export interface Load {
  port: 'auth' | 'acct';
  count: number;
  lines: Lines;
}

export const loads = {
  first: { port: 'auth', count: guests, lines: asks('User-Password') },
  PAP: { port: 'auth', count: requests, lines: asks('User-Password') },
  CHAP: { port: 'auth', count: requests, lines: asks('CHAP-Password') },
  start: { port: 'acct', count: guests, lines: reports('Start') },
  interim: { port: 'acct', count: requests, lines: reports('Interim-Update') },
} as const satisfies Readonly<Record<string, Load>>;

export interface Run {
  perSecond: number;
  lost: number;
}

export async function run(file: string, { port, count, lines }: Load, at: number): Promise<Run> {
  writeFileSync(file, Array.from({ length: count }, (_, place) => lines(place).join('\n')).join('\n\n'));
  const args = ['-q', '-s', '-r', '1', '-t', '5', '-p', String(parallel), '-f', file, `127.0.0.1:${at}`];
  const began = performance.now();
  const child = spawn('/usr/bin/radclient', [...args, port, secret]);
  const [out, output] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const seconds = (performance.now() - began) / 1000;
  const answered = /(?:Access-Accepts|Accepted)\s*:\s*(\d+)/.exec(out + output)?.[1];
  if (answered === undefined) throw new Error(`radclient: ${out}${output}`);
  return { perSecond: count / seconds, lost: count - Number(answered) };
}
