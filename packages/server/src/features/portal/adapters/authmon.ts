/** openNDS levels 3 and 4: POST form up to 10.1, GET from 10.2. */

export interface AuthmonCall {
  act: 'clear' | 'view' | 'list' | 'deauthed' | 'custom';
  gatewayHash: string;
  /** Decoded; empty for `none`. */
  payload: string;
}

const acts: ReadonlySet<string> = new Set(['clear', 'view', 'list', 'deauthed', 'custom']);
const maxPayload = 8192;

/** Returns null if it is no call. In GET the base64 is not URL-encoded, so `+` arrives as a space. */
export function parseAuthmon(parameters: URLSearchParams): AuthmonCall | null {
  const act = parameters.get('auth_get') ?? '';
  const gatewayHash = (parameters.get('gatewayhash') ?? '').toLowerCase();
  const payload = (parameters.get('payload') ?? '').replaceAll(' ', '+');
  if (!acts.has(act) || !/^[0-9a-f]{64}$/.test(gatewayHash) || payload.length > maxPayload) return null;
  const text = Buffer.from(payload, 'base64').toString('utf8').trim();
  return { act: act as AuthmonCall['act'], gatewayHash, payload: text === 'none' ? '' : text };
}

export interface AuthmonEntry {
  rhid: string;
  /** Minutes; 0 is no limit. */
  minutes: number;
  upKbps: number;
  downKbps: number;
  ticket: string;
}

/** authmon.sh cuts at 1,024 characters and runs the cut entry; newer ones stop after four. */
export const maxEntries = 4;
export const maxAnswer = 1000;

/** Returns `* entry entry`: four at most, 1,000 characters. */
export function authmonList(entries: readonly AuthmonEntry[]): string {
  let answer = '*';
  for (const { rhid, minutes, upKbps, downKbps, ticket } of entries.slice(0, maxEntries)) {
    const custom = Buffer.from(ticket).toString('base64');
    const next = `${answer} ${encodeURIComponent([rhid, minutes, upKbps, downKbps, 0, 0, custom].join(' '))}`;
    if (next.length > maxAnswer) break;
    answer = next;
  }
  return answer;
}

/** Parses `* rhid rhid`, separated by white space. */
export function acknowledged(payload: string): string[] {
  return payload.split(/\s+/).filter((word) => /^[0-9a-f]{64}$/.test(word));
}

export interface Deauthed {
  method: string;
  ticket: string;
  upBytes: number;
  downBytes: number;
}

/** Returns null without our ticket. */
export function parseDeauthed(payload: string): Deauthed | null {
  const fields = new Map(
    payload.split(/,\s*/).map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
    }),
  );
  const ticket = ticketOf(fields.get('custom') ?? '');
  if (ticket === null) return null;
  const count = (name: string) => {
    const value = Number(fields.get(name));
    return Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  const method = /^\w{1,40}$/.exec(fields.get('method') ?? '')?.[0] ?? 'unknown';
  return { method, ticket, upBytes: count('bytes_outgoing'), downBytes: count('bytes_incoming') };
}

/** Accepts plain, base64 and URL-encoded base64: openNDS versions differ. */
function ticketOf(custom: string): string | null {
  const form = /^[\w-]{22}$/;
  if (form.test(custom)) return custom;
  let text = custom;
  try {
    text = decodeURIComponent(custom);
  } catch {
    return null;
  }
  const plain = Buffer.from(text, 'base64').toString('latin1');
  return form.test(plain) ? plain : null;
}
