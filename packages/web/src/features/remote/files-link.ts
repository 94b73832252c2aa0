import type { RemoteDirectory } from '@yunxun/contract/device';
import {
  type RemoteFileInput,
  type RemoteFileOutput,
  type RemoteFileReason,
  type RemoteFilesHello,
  remoteTerminalPath,
} from '@yunxun/contract/remote-terminal';
import { bearerProof } from './terminal-link.ts';

export class FileFailure extends Error {
  override readonly name = 'FileFailure';

  constructor(
    readonly reason: RemoteFileReason,
    /** Words of the device. */
    readonly detail: string | null = null,
  ) {
    super(reason);
  }
}

type Progress = (bytes: number, size: number) => void;

/** Files of a session. One action at a time; each throws FileFailure. */
export interface FilesLink {
  list(path: string): Promise<RemoteDirectory>;
  read(path: string, progress: Progress): Promise<Blob>;
  write(path: string, file: File, replace: boolean, progress: Progress): Promise<void>;
  cancel(): void;
  close(): void;
}

/** Bytes. SFTP takes pieces of this size without a second request. */
const pieceBytes = 30 * 1024;
const blockBytes = 32 * pieceBytes;
/** Milliseconds; a WebSocket has no event for sent bytes. */
const lookEvery = 20;

interface Action {
  bytes(data: ArrayBuffer): void;
  hear(output: RemoteFileOutput, page: WebSocket): void;
  fail(error: FileFailure): void;
}

export function filesLink(id: string): FilesLink {
  let joined: Promise<WebSocket> | null = null;
  let current: WebSocket | null = null;
  let action: Action | null = null;

  function join(): Promise<WebSocket> {
    joined ??= new Promise<WebSocket>((resolve, reject) => {
      const page = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${remoteTerminalPath}?session=${id}`);
      current = page;
      page.binaryType = 'arraybuffer';
      page.addEventListener('open', () => {
        const hello: RemoteFilesHello = { ...bearerProof(), cols: 80, rows: 24, files: true };
        page.send(JSON.stringify(hello));
      });
      page.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return action?.bytes(data as ArrayBuffer);
        const output = JSON.parse(data) as RemoteFileOutput;
        if (output.type === 'ready') resolve(page);
        else if (action) action.hear(output, page);
        else if (output.type === 'failed') reject(new FileFailure(output.reason, output.detail));
      });
      page.addEventListener('close', () => {
        joined = null;
        const lost = new FileFailure('ended');
        reject(lost);
        action?.fail(lost);
      });
    });
    return joined;
  }

  async function act<T>(
    input: RemoteFileInput,
    make: (resolve: (value: T) => void, fail: (error: FileFailure) => void) => Pick<Action, 'bytes' | 'hear'>,
  ): Promise<T> {
    const page = await join();
    try {
      return await new Promise<T>((resolve, fail) => {
        const made = make(resolve, fail);
        action = {
          ...made,
          fail,
          hear(output, from) {
            if (output.type === 'failed') fail(new FileFailure(output.reason, output.detail));
            else made.hear(output, from);
          },
        };
        page.send(JSON.stringify(input));
      });
    } finally {
      action = null;
    }
  }

  const cancel = () => current?.readyState === WebSocket.OPEN && current.send(JSON.stringify({ type: 'cancel' }));
  return {
    list: (path) =>
      act<RemoteDirectory>({ type: 'list', path }, (resolve) => ({
        bytes: () => undefined,
        hear: (output) => output.type === 'list' && resolve(output),
      })),
    read(path, progress) {
      const parts: ArrayBuffer[] = [];
      let [bytes, size] = [0, 0];
      return act<Blob>({ type: 'read', path }, (resolve) => ({
        bytes(data) {
          parts.push(data);
          bytes += data.byteLength;
          progress(bytes, size);
        },
        hear(output) {
          if (output.type === 'reading') size = output.size;
          if (output.type === 'done') resolve(new Blob(parts));
        },
      }));
    },
    async write(path, file, replace, progress) {
      let isOver = false;
      const input = { type: 'write', path, size: file.size, replace } as const;
      const written = act<void>(input, (resolve, fail) => ({
        bytes: () => undefined,
        hear(output, page) {
          if (output.type === 'done') resolve();
          if (output.type !== 'writing') return;
          send(page, file, () => isOver, progress).catch(() => {
            cancel();
            fail(new FileFailure('changed'));
          });
        },
      }));
      await written.finally(() => {
        isOver = true;
      });
    },
    cancel,
    close: () => current?.close(),
  };
}

/** @throws when the file cannot be read any more */
async function send(page: WebSocket, file: File, isOver: () => boolean, progress: Progress): Promise<void> {
  for (let at = 0; at < file.size; at += blockBytes) {
    const block = await file.slice(at, at + blockBytes).arrayBuffer();
    while (page.bufferedAmount > blockBytes && !isOver())
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
    if (isOver()) return;
    for (let from = 0; from < block.byteLength; from += pieceBytes) page.send(block.slice(from, from + pieceBytes));
    progress(at + block.byteLength - page.bufferedAmount, file.size);
  }
}
