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
  /** HTTP/2 windows of a stream and of a connection, for 25 MB/s at 40 ms. */
  streamWindow: 256 * 1024,
  window: 1024 * 1024,
  /** A shell goes on without a page. */
  withoutPage: 60_000,
  /** Wait for a target's TCP answer. */
  connectWait: 10_000,
  columns: 1000,
  rows: 1000,
  fileBytes: 100 * 1024 * 1024,
  /** Of a directory. */
  entries: 2000,
  pathBytes: 1024,
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
export const remoteHeaders = {
  columns: 'yunxun-cols',
  rows: 'yunxun-rows',
  shell: 'yunxun-shell',
  /** `1` in the answer to `POST /shell`: files are served. */
  files: 'yunxun-files',
  /** UTF-8 in base64url: absolute, or empty for the home directory. */
  path: 'yunxun-path',
  /** Bytes of a file. */
  size: 'yunxun-size',
  /** `yes`: an existing file is replaced. */
  replace: 'yunxun-replace',
} as const;

/** `POST` opens a shell: its body is input, the response's body output. `CONNECT` opens TCP to a host of a LAN. */
export const remotePaths = { shell: '/shell' } as const;

export function remoteSizePath(shell: string): string {
  return `${remotePaths.shell}/${shell}/size`;
}

/**
 * `POST` acts on files with the rights of the person who signed in at that shell. `list` answers with a
 * `RemoteDirectory`, `read` with `size` and the bytes, `write` takes `size` bytes and answers when they are kept.
 */
export const remoteFileWays = ['list', 'read', 'write'] as const;
export type RemoteFileWay = (typeof remoteFileWays)[number];

export function remoteFilePath(shell: string, way: RemoteFileWay): string {
  return `${remotePaths.shell}/${shell}/files/${way}`;
}

/** Statuses of refusals; the body says more in English. */
export const remoteFileStatuses = {
  notSignedIn: 401,
  denied: 403,
  notFound: 404,
  exists: 409,
  tooLarge: 413,
  /** Not a plain file, or not a directory. */
  otherKind: 415,
  /** The host does not record who signed in. */
  unavailable: 501,
  full: 507,
} as const;

export const remoteFileTypes = ['file', 'directory', 'link', 'other'] as const;

export interface RemoteFileEntry {
  name: string;
  type: (typeof remoteFileTypes)[number];
  /** Bytes; of what a link leads to. */
  size: number;
  /** Seconds since 1970. */
  modified: number;
}

export interface RemoteDirectory {
  /** Absolute. */
  path: string;
  entries: RemoteFileEntry[];
  /** There are more than `remoteLimits.entries`. */
  more: boolean;
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
