/** Frames of rtty 7.1.4, the remote shell of access points: type u8, length u16 (big endian), body. */
export const rttyTypes = {
  register: 0,
  login: 1,
  logout: 2,
  data: 3,
  size: 4,
  command: 5,
  heartbeat: 6,
  file: 7,
} as const;

/** Bytes and milliseconds. */
export const rttyLimits = {
  /** The client reads a terminal in pieces of 4 KiB. */
  body: 16 * 1024,
  idLength: 32,
  sessions: 5,
  heartbeat: 5_000,
  /** The client leaves a server that is silent for this long, whatever it sends itself. */
  silence: 7_500,
} as const;

export interface RttyFrame {
  type: number;
  body: Uint8Array;
}

type RttyFromEither =
  | { type: 'logout'; sid: number }
  | { type: 'data'; sid: number; data: Uint8Array }
  | { type: 'heartbeat' }
  | { type: 'other' };

export type RttyFromDevice =
  | RttyFromEither
  | { type: 'register'; id: string; description: string; token: string }
  /** Null: the client has no terminal left. */
  | { type: 'login'; sid: number | null }
  /** Of `rtty -R` and `rtty -S`, run in a terminal. */
  | { type: 'file'; sid: number; step: RttyFileStep };

/** `rtty -S` offers a file, sends its bytes at once, and ends with none; `rtty -R` wants one. */
export type RttyFileStep = 'wanted' | 'offered' | 'bytes' | 'end' | 'cancelled';

export type RttyFromServer =
  | RttyFromEither
  /** Null: accepted. */
  | { type: 'register'; error: string | null }
  | { type: 'login' }
  | { type: 'file_refused' }
  | { type: 'size'; sid: number; columns: number; rows: number };

const none = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Takes whole frames off `bytes`. Returns null for an unknown type or an over-long body. */
export function splitRtty(bytes: Uint8Array): { frames: RttyFrame[]; rest: Uint8Array } | null {
  const frames: RttyFrame[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at]! > rttyTypes.file) return null;
    if (bytes.length - at < 3) break;
    const length = (bytes[at + 1]! << 8) | bytes[at + 2]!;
    if (length > rttyLimits.body) return null;
    if (bytes.length - at < 3 + length) break;
    frames.push({ type: bytes[at]!, body: bytes.subarray(at + 3, at + 3 + length) });
    at += 3 + length;
  }
  return { frames, rest: bytes.subarray(at) };
}

/** Returns null for a malformed frame. */
export function readRttyFromDevice({ type, body }: RttyFrame): RttyFromDevice | null {
  switch (type) {
    case rttyTypes.register: {
      const [id, description, token, end, ...more] = decoder.decode(body).split('\0');
      if (id === undefined || description === undefined || token === undefined) return null;
      return end === '' && more.length === 0 ? { type: 'register', id, description, token } : null;
    }
    case rttyTypes.login:
      if (body.length === 1 && body[0] !== 0) return { type: 'login', sid: null };
      return body.length === 2 && body[0] === 0 && isSid(body[1]) ? { type: 'login', sid: body[1]! } : null;
    case rttyTypes.file:
      return readFile(body);
    default:
      return readFromEither({ type, body });
  }
}

function readFile(body: Uint8Array): RttyFromDevice | null {
  const [sid, step] = body;
  if (!isSid(sid)) return null;
  const known = fileSteps.get(step);
  const isEnd = known === 'bytes' && body.length === 2;
  return known ? { type: 'file', sid: sid!, step: isEnd ? 'end' : known } : null;
}

const cancelled = 3;
const fileSteps: ReadonlyMap<number | undefined, RttyFileStep> = new Map([
  [0, 'wanted'],
  [1, 'offered'],
  [2, 'bytes'],
  [cancelled, 'cancelled'],
] as const);

export function readRttyFromServer({ type, body }: RttyFrame): RttyFromServer | null {
  switch (type) {
    case rttyTypes.register:
      if (body.length === 0) return null;
      return { type: 'register', error: body[0] === 0 ? null : decoder.decode(body.subarray(1)).replaceAll('\0', '') };
    case rttyTypes.login:
      return { type: 'login' };
    case rttyTypes.file:
      return body.length === 1 && body[0] === cancelled ? { type: 'file_refused' } : null;
    case rttyTypes.size:
      if (body.length !== 5 || !isSid(body[0])) return null;
      return {
        type: 'size',
        sid: body[0]!,
        columns: (body[1]! << 8) | body[2]!,
        rows: (body[3]! << 8) | body[4]!,
      };
    default:
      return readFromEither({ type, body });
  }
}

function readFromEither({ type, body }: RttyFrame): RttyFromEither | null {
  switch (type) {
    case rttyTypes.logout:
      return body.length === 1 && isSid(body[0]) ? { type: 'logout', sid: body[0]! } : null;
    case rttyTypes.data:
      return isSid(body[0]) ? { type: 'data', sid: body[0]!, data: body.subarray(1) } : null;
    case rttyTypes.heartbeat:
      return { type: 'heartbeat' };
    case rttyTypes.command:
      return { type: 'other' };
    default:
      return null;
  }
}

/** Frames of a server; data is cut into frames that fit. */
export const rttyServer = {
  registered: (error: string | null = null) =>
    frame(rttyTypes.register, [error === null ? 0 : 1], encoder.encode(`${error ?? 'OK'}\0`)),
  login: () => frame(rttyTypes.login, []),
  logout: (sid: number) => frame(rttyTypes.logout, [sid]),
  data: (sid: number, data: Uint8Array) => dataFrames(sid, data),
  size: (sid: number, columns: number, rows: number) =>
    frame(rttyTypes.size, [sid, columns >> 8, columns & 255, rows >> 8, rows & 255]),
  heartbeat: () => frame(rttyTypes.heartbeat, []),
  /** Ends an `rtty -R`. The client has no answer to an offer: it corrupts its frames when one is cancelled. */
  fileRefused: () => frame(rttyTypes.file, [cancelled]),
} as const;

export const rttyDevice = {
  register: (id: string, description: string, token: string) =>
    frame(rttyTypes.register, [], encoder.encode(`${id}\0${description}\0${token}\0`)),
  login: (sid: number | null) => frame(rttyTypes.login, sid === null ? [1] : [0, sid]),
  logout: (sid: number) => frame(rttyTypes.logout, [sid]),
  data: (sid: number, data: Uint8Array) => dataFrames(sid, data),
  heartbeat: () => frame(rttyTypes.heartbeat, []),
  file: (sid: number, step: RttyFileStep, data: Uint8Array = none) => {
    const [code = 2] = Array.from(fileSteps).find(([, known]) => known === step) ?? [];
    return frame(rttyTypes.file, [sid, code], data);
  },
} as const;

function isSid(value: number | undefined): boolean {
  return value !== undefined && value < rttyLimits.sessions;
}

function frame(type: number, head: readonly number[], tail: Uint8Array = none): Uint8Array {
  const length = head.length + tail.length;
  const bytes = new Uint8Array(3 + length);
  bytes.set([type, length >> 8, length & 255, ...head]);
  bytes.set(tail, 3 + head.length);
  return bytes;
}

const piece = 4096;

function dataFrames(sid: number, data: Uint8Array): Uint8Array {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += piece) {
    frames.push(frame(rttyTypes.data, [sid], data.subarray(at, at + piece)));
  }
  const bytes = new Uint8Array(frames.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of frames) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}
