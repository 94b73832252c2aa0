import { asCount, asRecord } from './read.ts';

export const remotePort = 5912;

/** ALPN; rtty sends none. */
export const remoteProtocols = { agent: 'yunxun-remote/1', console: 'yunxun-console/1' } as const;

/** Milliseconds and bytes. */
export const remoteLimits = {
  idle: 10 * 60_000,
  hard: 60 * 60_000,
  /** From the command until the device connects. */
  token: 60_000,
  perDevice: 3,
  perAccount: 20,
  perProcess: 500,
  /** First line of each side. */
  lineBytes: 4096,
  lineWait: 10_000,
  /** Unread by the page: the device is paused. */
  unreadBytes: 1024 * 1024,
  replayBytes: 256 * 1024,
  /** A shell goes on without a page. */
  withoutPage: 60_000,
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

/** `refused`: switched off by the owner of the host. */
export const remoteErrors = { failed: 1, refused: 2 } as const;

export interface EdgeRemoteAbility {
  shell: boolean;
  reason?: string;
}

/**
 * The relay is the HTTP/2 client, from when its line is flushed: Node.js aborts on a TLS socket with a write under
 * way.
 */
export const remoteHeaders = { columns: 'yunxun-cols', rows: 'yunxun-rows', shell: 'yunxun-shell' } as const;

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
