import type { Readable, Writable } from 'node:stream';
import { asCount, asRecord, type RemoteFileWay, remoteFileWays, remoteLimits } from '@yunxun/contract/device';

export interface FileRequest {
  way: RemoteFileWay;
  /** Absolute; empty: the home directory. */
  path: string;
  /** Bytes that follow. */
  size: number;
  replace: boolean;
}

/** A line of JSON, and for `list` and `read` as many bytes as it says. */
export type FileAnswer = { ok: true; size: number } | { status: number; reason: string };

export interface FileAction {
  readonly input: Writable;
  /** `FileAnswer`. */
  readonly output: Readable;
  close(): Promise<void>;
}

export class FileRefused extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

export function readFileRequest(value: unknown): FileRequest | null {
  const { way: named, path, size, replace } = asRecord<FileRequest>(value);
  const way = remoteFileWays.find((one) => one === named);
  const bytes = asCount(size);
  if (way === undefined || typeof path !== 'string' || bytes === null || bytes > remoteLimits.fileBytes) return null;
  if (Buffer.byteLength(path) > remoteLimits.pathBytes || path.includes('\0') || !/^($|\/)/.test(path)) return null;
  return { way, path, size: bytes, replace: replace === true };
}

export const noProgram = 'the login shell of this user runs no other program';

/** What it says may come from a program of the person's. */
export function readFileAnswer(line: string): FileAnswer | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const { ok, size, status, reason } = asRecord(value);
  const bytes = asCount(size);
  if (ok === true && bytes !== null && bytes <= remoteLimits.fileBytes) return { ok, size: bytes };
  const code = asCount(status) ?? 0;
  if (code < 400 || code > 599) return null;
  return { status: code, reason: String(reason).slice(0, 200) };
}

export const answerLine = (answer: FileAnswer): string => `${JSON.stringify(answer)}\n`;
