import { Writable } from 'node:stream';
import type { SFTPWrapper } from 'ssh2';
import { FileRefused } from './files.ts';
import { answerOf, attributesOf } from './sftp-calls.ts';

/** Bytes that the host has not confirmed; hides the distance to it. */
const aheadBytes = 512 * 1024;

export interface UploadPlan {
  /** Name until the file is complete. */
  part: string;
  to: string;
  /** Of the file that is replaced; null: there is none. */
  mode: number | null;
  size: number;
}

/** Writes beside the file, and takes its name when all bytes are there. */
export class SftpUpload extends Writable {
  readonly kept: Promise<void>;
  pending = 0;
  readonly #sftp: SFTPWrapper;
  readonly #handle: Buffer;
  readonly #plan: UploadPlan;
  #position = 0;
  #isClosed = false;
  #isKept = false;
  #ready: (() => void) | null = null;
  #settle!: (error: Error | null) => void;

  constructor(sftp: SFTPWrapper, handle: Buffer, plan: UploadPlan) {
    super({ highWaterMark: aheadBytes / 2 });
    this.#sftp = sftp;
    this.#handle = handle;
    this.#plan = plan;
    this.kept = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
    });
    this.on('error', () => undefined);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.pending += chunk.length;
    const position = this.#position;
    this.#position += chunk.length;
    answerOf<unknown>((answered) => this.#sftp.write(this.#handle, chunk, 0, chunk.length, position, answered)).then(
      () => {
        this.pending -= chunk.length;
        this.#goOn();
      },
      (error: Error) => this.destroy(error),
    );
    this.#whenReady(aheadBytes, done);
  }

  override _final(done: (error?: Error) => void): void {
    this.#whenReady(1, () => {
      this.#keep().then(() => done(), done);
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave().finally(() => {
      this.#settle(this.#isKept ? null : (error ?? new FileRefused('cancelled')));
      done(error);
    });
  }

  /** Calls back once fewer than `bytes` are unconfirmed. */
  #whenReady(bytes: number, act: () => void): void {
    this.#ready = () => {
      if (this.pending >= bytes) return;
      this.#ready = null;
      act();
    };
    this.#goOn();
  }

  #goOn(): void {
    if (!this.destroyed) this.#ready?.();
  }

  async #keep(): Promise<void> {
    const { part, to, mode, size } = this.#plan;
    if (this.#position !== size) throw new FileRefused('cancelled');
    const sftp = this.#sftp;
    // what the umask of the host took away
    if (mode !== null) await answerOf((done) => sftp.fsetstat(this.#handle, { mode }, done)).catch(() => undefined);
    await this.#close();
    if (mode === null) await this.#giveName();
    else await this.#replace(part, to);
    this.#isKept = true;
  }

  /** @throws FileRefused `exists` for a name that was taken meanwhile */
  async #giveName(): Promise<void> {
    const { part, to } = this.#plan;
    try {
      await answerOf((done) => this.#sftp.rename(part, to, done));
    } catch (error) {
      if (await attributesOf(this.#sftp, to).catch(() => null)) throw new FileRefused('exists');
      throw error;
    }
  }

  /** SFTP version 3 renames to no existing name: without OpenSSH's extension, the old file steps aside. */
  async #replace(part: string, to: string): Promise<void> {
    const sftp = this.#sftp;
    const rename = (from: string, name: string) => answerOf((done) => sftp.rename(from, name, done));
    try {
      return void (await answerOf((done) => sftp.ext_openssh_rename(part, to, done)));
    } catch (error) {
      if (!(error instanceof FileRefused) || !/does not support/.test(error.message)) throw error;
    }
    const aside = `${part}.old`;
    await rename(to, aside);
    try {
      await rename(part, to);
    } catch (error) {
      await rename(aside, to);
      throw error;
    }
    await answerOf((done) => sftp.unlink(aside, done)).catch(() => undefined);
  }

  async #leave(): Promise<void> {
    if (this.#isKept) return;
    const remove = answerOf((done) => this.#sftp.unlink(this.#plan.part, done));
    await Promise.allSettled([this.#close(), remove]);
  }

  /** Once: the host gives the handle to another file. */
  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await answerOf((done) => this.#sftp.close(this.#handle, done));
  }
}
