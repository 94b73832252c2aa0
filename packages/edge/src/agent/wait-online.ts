import type { LinkEnd } from '../link.ts';
import type { PinnedIdentity } from './identity-file.ts';
import type { Places } from './places.ts';
import { readStatus } from './status-file.ts';

export function describeEnd(
  { kind, detail }: LinkEnd,
  { server, port }: Pick<PinnedIdentity, 'server' | 'port'>,
): string {
  const at = `${server}:${port}`;
  if (kind === 'wrong-host') return `the certificate of ${at} does not hold the name ${server}`;
  if (kind === 'closed') return `the console ended the session (${detail})`;
  const known: readonly (readonly [RegExp, string])[] = [
    [/ECONNREFUSED/, `${at} refuses the connection: nothing listens there, or a firewall rejects it`],
    [/ENOTFOUND|EAI_AGAIN/, `the name ${server} cannot be resolved; check the DNS servers of this machine`],
    [/ENETUNREACH|EHOSTUNREACH/, `no route to ${at}`],
    [/ETIMEDOUT|timed out/, `${at} does not answer; check the way to it and the firewalls on it`],
    [
      /Unexpected server response: 40[13]/,
      `${at} refuses this machine (${detail}); the console's page Waiting devices has the reason`,
    ],
    [/Unexpected server response: 410/, `${at} says that this machine was unbound; to bind it again, enrol it again`],
    [/Unexpected server response: 503/, `${at} asks this machine to come back later (${detail})`],
    [/Unexpected server response/, `${at} is not the console's device port (${detail})`],
    [/EPROTO|wrong version|packet length|disconnected before secure/, `${at} does not complete TLS (${detail})`],
    [/certificate|CERT_/i, `the certificate of ${at} is not accepted (${detail}); check the clock, or enrol again`],
  ];
  const [, sentence] = known.find(([form]) => form.test(detail)) ?? [];
  return sentence ?? `${at}: ${detail}`;
}

export interface WaitLimits {
  within: number;
  /** Milliseconds online: a console that refuses a device closes at once. */
  stable: number;
  every: number;
}

const limits: WaitLimits = { within: 45_000, stable: 1_000, every: 200 };
/** Milliseconds, after which the reason is printed. */
const usual = 10_000;

/** Returns null once online, else the reason. Prints after `usual` and for each new reason. */
export async function waitOnline(
  places: Places,
  { server, port }: Pick<PinnedIdentity, 'server' | 'port'>,
  say: (line: string) => void,
  { within, stable, every }: WaitLimits = limits,
): Promise<string | null> {
  const began = performance.now();
  let since: number | null = null;
  let printed: string | null = null;
  for (;;) {
    const now = performance.now();
    const status = readStatus(places);
    if (status?.online) since ??= now;
    else since = null;
    if (since !== null && now - since >= stable) return null;
    const reason =
      status === null ? 'the agent does not run' : (status.problem ?? `no answer from ${server}:${port} so far`);
    if (now - began >= within) return reason;
    if (status?.problem && status.problem !== printed) {
      printed = status.problem;
      say(`Not online yet: ${printed}. Trying for ${Math.ceil((within - (now - began)) / 1000)} s more ...`);
    } else if (printed === null && now - began >= Math.min(usual, within)) {
      printed = reason;
      say(`Not online yet: ${reason}. Trying for ${Math.ceil((within - (now - began)) / 1000)} s more ...`);
    }
    await new Promise((turn) => setTimeout(turn, every));
  }
}
