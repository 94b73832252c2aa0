import { type RemoteDirectory, remoteLimits } from './device/remote.ts';

export type { RemoteDirectory, RemoteFileEntry } from './device/remote.ts';

/** Most bytes of a file that is moved, and of a path. */
export const { fileBytes, pathBytes } = remoteLimits;

/** `shell`: of the device; `web`: of a peripheral device, below the remote host; the others reach such a device too. */
export const remoteKinds = ['shell', 'ssh', 'telnet', 'web', 'vnc'] as const;
export type RemoteKind = (typeof remoteKinds)[number];

export const remoteStates = ['waiting', 'open', 'ended'] as const;
export type RemoteState = (typeof remoteStates)[number];

/** Why a target cannot be opened; the first that applies is given. */
export const remoteReasons = [
  'off',
  'no_network',
  'unconfirmed',
  'no_gateway',
  'no_port',
  'no_web_port',
  'no_remote_host',
  'no_screen_port',
  'rdp',
  'switch',
  'agent',
  'restricted',
  'no_shell',
  'offline',
] as const;
export type RemoteReason = (typeof remoteReasons)[number];

/** `cut`: it ended before its session. */
export const remoteRecordings = ['off', 'kept', 'cut', 'deleted'] as const;
export type RemoteRecording = (typeof remoteRecordings)[number];

export const remoteEndReasons = [
  'closed',
  'by_person',
  'left',
  'idle',
  'too_long',
  'silent',
  'refused',
  'unreachable',
  'sign_in_failed',
  'host_key',
  'no_host_key',
  'no_rights',
  'revoked',
  'switched_off',
  'unbound',
  'busy',
  'process',
  'not_recorded',
] as const;
export type RemoteEndReason = (typeof remoteEndReasons)[number];

/** WebSocket, whose first text is a `RemoteHello`. */
export const remoteTerminalPath = '/api/v3/remote/terminal';

export interface RemoteSize {
  cols: number;
  rows: number;
}

/** `link`: answered to the technician who opened a link. */
export type RemoteProof = { token: string; account?: string } | { link: string };
export type RemoteHello = RemoteSize & RemoteProof;

/** Joins the files of a session whose terminal is open; links have none. */
export type RemoteFilesHello = RemoteHello & { files: true };

/** Texts of a page for files, one action at a time; its binary frames are bytes of a file that it writes. */
export type RemoteFileInput =
  /** `path`: absolute, or empty for the home directory. */
  | { type: 'list'; path: string }
  | { type: 'read'; path: string }
  | { type: 'write'; path: string; size: number; replace: boolean }
  /** Of the action under way, which then fails by `cancelled`. */
  | { type: 'cancel' };

export const remoteFileReasons = [
  'none',
  'not_signed_in',
  'unavailable',
  'agent',
  'not_found',
  'denied',
  'exists',
  'too_large',
  'other_kind',
  'full',
  'changed',
  'cancelled',
  'ended',
  'failed',
] as const;
export type RemoteFileReason = (typeof remoteFileReasons)[number];

/** Texts of the server to a page for files; its binary frames are bytes of a file that the page reads. */
export type RemoteFileOutput =
  | { type: 'ready' }
  | ({ type: 'list' } & RemoteDirectory)
  | { type: 'reading'; name: string; size: number }
  /** The page sends the bytes now. */
  | { type: 'writing' }
  | { type: 'done' }
  | { type: 'failed'; reason: RemoteFileReason; detail: string | null };

/** Texts of the page; its binary frames are typed bytes. */
export type RemoteInput =
  | ({ type: 'size' } & RemoteSize)
  | { type: 'login'; user: string; password: string }
  | { type: 'answers'; answers: readonly string[] }
  /** The person has trusted the first key of an address (`remote/host_key/accept`). */
  | { type: 'trusted' }
  /** Sends no more while the page draws what it has. */
  | { type: 'hold'; on: boolean }
  /** Input at a screen, whose page sends bytes without it. */
  | { type: 'active' }
  | { type: 'end' };

/** Texts of the server; its binary frames are bytes for the screen. */
export type RemoteOutput =
  | { type: 'state'; state: 'waiting' | 'open'; until: string | null; recorded: boolean }
  /** `again`: the last one was refused. `refused`: the user of the kept sign-in that was. */
  | { type: 'login'; again: boolean; refused: string | null }
  /** By the kept sign-in. */
  | { type: 'signed_in'; user: string }
  | { type: 'questions'; questions: readonly { text: string; echo: boolean }[] }
  /** `known` null: the first key of an address, which asks for `trusted`. */
  | { type: 'host_key'; known: string | null; offered: string }
  /** A program of the access point moved a file (`rtty -S`, `rtty -R`), which arrives nowhere. */
  | { type: 'file_refused' }
  /** Another page shows the session. */
  | { type: 'replaced' }
  | { type: 'end'; reason: RemoteEndReason; detail: string | null };
