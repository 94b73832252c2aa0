import type { RemoteFileReason } from '@yunxun/contract/remote-terminal';
import type { Attributes, SFTPWrapper } from 'ssh2';
import { FileRefused } from './files.ts';

export type Done<T> = (error: Error | null | undefined, value?: T) => void;

/** Awaits an answer of the host. @throws FileRefused */
export function answerOf<T>(ask: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      ask((error, value) => (error ? reject(refusalOf(error)) : resolve(value as T)));
    } catch (error) {
      reject(refusalOf(error as Error));
    }
  });
}

/** Of SFTP version 3 (draft-ietf-secsh-filexfer-02), and of later versions for full disks. */
const statuses: Readonly<Record<number, RemoteFileReason>> = { 2: 'not_found', 3: 'denied', 14: 'full', 15: 'full' };
export const endOfFile = 1;

function refusalOf(error: Error & { code?: unknown }): FileRefused {
  if (error instanceof FileRefused) return error;
  const reason = statuses[Number(error.code)] ?? 'failed';
  return new FileRefused(reason, reason === 'failed' ? error.message.slice(0, 200) : null);
}

/** Returns null where nothing is. */
export async function attributesOf(sftp: SFTPWrapper, path: string): Promise<Attributes | null> {
  try {
    return await answerOf<Attributes>((done) => sftp.stat(path, done));
  } catch (error) {
    if (error instanceof FileRefused && error.reason === 'not_found') return null;
    throw error;
  }
}
