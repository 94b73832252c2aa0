import { asCount, asRecord } from './read.ts';

export const remotePort = 5912;

/** ALPN of the relay's port. Access points (rtty) send none. */
export const remoteProtocols = { agent: 'yunxun-remote/1', console: 'yunxun-console/1' } as const;

/** Milliseconds and bytes, where the name does not say otherwise. */
export const remoteLimits = {
  idle: 10 * 60_000,
  hard: 60 * 60_000,
  /** From the command until the device connects. */
  token: 60_000,
  perDevice: 3,
  perAccount: 20,
  perProcess: 500,
  /** First line of each side, with its line feed. */
  lineBytes: 4096,
  /** Wait of each side for the line of the other. */
  lineWait: 10_000,
  /** Unread by the page: the device is paused. */
  unreadBytes: 1024 * 1024,
  /** Replayed to a page that returns. */
  replayBytes: 256 * 1024,
  /** A shell goes on without a page. */
  withoutPage: 60_000,
  /** Wait for a target's TCP answer. */
  connectWait: 10_000,
  columns: 1000,
  rows: 1000,
} as const;

/** Of `yunxun.tool`. Needs the ability `remote`. */
export type EdgeRemoteParams = {
  tool: 'remote';
  session: string;
  token: string;
  server: string;
  port: number;
  /** Until the hard end. */
  seconds: number;
};

export const remoteForms = {
  session: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  token: /^[0-9a-f]{32}$/,
  server: /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/,
} as const;

/** `status.error` of the reply: no connection to the relay; switched off by the owner of the host. */
export const remoteErrors = { failed: 1, refused: 2 } as const;

/** Of `yunxun.remote` in the agent's capabilities. */
export interface EdgeRemoteAbility {
  shell: boolean;
  reason?: string;
}

/**
 * After the two lines, the relay is an HTTP/2 client of the agent. It creates the HTTP/2 session when its line is
 * flushed: Node.js aborts on a TLS socket with a write under way.
 */
export const remoteHeaders = { columns: 'yunxun-cols', rows: 'yunxun-rows', shell: 'yunxun-shell' } as const;

/** `POST` opens a shell: its body is input, the response's body output. `CONNECT` opens TCP to a host of a LAN. */
export const remotePaths = { shell: '/shell' } as const;

export function remoteSizePath(shell: string): string {
  return `${remotePaths.shell}/${shell}/size`;
}

export interface RemoteHello {
  session: string;
  token: string;
}

export interface RemoteSize {
  columns: number;
  rows: number;
}

export function remoteLine(value: RemoteHello | { ok: true } | { error: string }): string {
  return `${JSON.stringify(value)}\n`;
}

export function readRemoteHello(line: string): RemoteHello | null {
  const { session, token } = asRecord<RemoteHello>(parsed(line));
  if (typeof session !== 'string' || !remoteForms.session.test(session)) return null;
  return typeof token === 'string' && remoteForms.token.test(token) ? { session, token } : null;
}

/** Returns null for a welcome, else the reason. */
export function readRemoteWelcome(line: string): string | null {
  const { ok, error } = asRecord<{ ok: unknown; error: unknown }>(parsed(line));
  if (ok === true) return null;
  return typeof error === 'string' && error !== '' ? error.slice(0, 200) : 'not an answer of the relay';
}

export function readRemoteSize(columns: unknown, rows: unknown): RemoteSize | null {
  const size = { columns: asCount(columns) ?? 0, rows: asCount(rows) ?? 0 };
  const fits = size.columns >= 1 && size.columns <= remoteLimits.columns && size.rows >= 1;
  return fits && size.rows <= remoteLimits.rows ? size : null;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
