import { normaliseClientMac } from '@yunxun/contract/device';
import { addressOf, integerOf, textOf } from './dictionary.ts';
import type { GuestAccounting } from './guest-gate.ts';
import type { Nas } from './nas.ts';
import type { Packet } from './packet.ts';
import type { RequestSource } from './request-source.ts';

/** Acct-Terminate-Cause (RFC 2866, section 5.10). */
const terminateCauses: Readonly<Record<number, string>> = {
  1: 'user_request',
  2: 'lost_carrier',
  3: 'lost_service',
  4: 'idle_timeout',
  5: 'session_timeout',
  6: 'admin_reset',
  7: 'admin_reboot',
  8: 'port_error',
  9: 'nas_error',
  10: 'nas_request',
  11: 'nas_reboot',
};

/** The gateway began or stopped accounting. */
export const resetCause = 'nas_reboot';

/** `reset`: its sessions have ended. */
export interface AccountingEvent {
  nas: Nas;
  origin: string;
  serial: string | null;
  address: string | null;
  status: GuestAccounting['kind'] | 'reset';
  /** Without totals: they depend on the reports before. */
  session: Omit<GuestAccounting, 'kind' | 'counter' | 'upBytes' | 'downBytes'>;
  up: number | null;
  down: number | null;
  hasGigawords: boolean;
  /** Event-Timestamp, in seconds of the gateway's clock. */
  eventTime: number | null;
  /** Acct-Delay-Time: since the gateway first tried. */
  delaySeconds: number;
}

const statuses: Readonly<Record<number, AccountingEvent['status']>> = {
  1: 'start',
  2: 'stop',
  3: 'interim',
  7: 'reset',
  8: 'reset',
};

/** Returns `ignored` without sessions, null without the id that RFC 2866 demands. */
export function readAccounting(request: Packet, nas: Nas, source: RequestSource): AccountingEvent | 'ignored' | null {
  const status = statuses[integerOf(request, 'Acct-Status-Type') ?? 0];
  if (!status) return 'ignored';
  const acctSessionId = textOf(request, 'Acct-Session-Id');
  if (acctSessionId === null && status !== 'reset') return null;
  const cause = integerOf(request, 'Acct-Terminate-Cause');
  const identifier = textOf(request, 'NAS-Identifier');
  return {
    nas,
    status,
    origin: source.kind === 'device' ? source.serial : (identifier ?? ''),
    serial: source.kind === 'device' ? source.serial : null,
    address: source.kind === 'udp' ? source.address : null,
    // the gateway's input is the upload
    up: octets(request, 'Acct-Input'),
    down: octets(request, 'Acct-Output'),
    hasGigawords:
      integerOf(request, 'Acct-Input-Gigawords') !== null || integerOf(request, 'Acct-Output-Gigawords') !== null,
    eventTime: integerOf(request, 'Event-Timestamp'),
    delaySeconds: integerOf(request, 'Acct-Delay-Time') ?? 0,
    session: {
      username: textOf(request, 'User-Name') ?? '',
      acctSessionId: acctSessionId ?? '',
      mac: normaliseClientMac(textOf(request, 'Calling-Station-Id')),
      ip: addressOf(request),
      seconds: integerOf(request, 'Acct-Session-Time') ?? 0,
      cause: status === 'stop' ? (terminateCauses[cause ?? 0] ?? 'other') : null,
    },
  };
}

/** Adds gigawords, the wraps of 32-bit octets (RFC 2869, section 5.1). */
function octets(request: Packet, counter: 'Acct-Input' | 'Acct-Output'): number | null {
  const [wraps, rest] = [integerOf(request, `${counter}-Gigawords`), integerOf(request, `${counter}-Octets`)];
  if (wraps === null && rest === null) return null;
  return Math.min((wraps ?? 0) * 2 ** 32 + (rest ?? 0), Number.MAX_SAFE_INTEGER);
}
