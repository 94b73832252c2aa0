import type { Channel } from './channel.ts';
import { FilePage, type FilesOf, failed } from './file-page.ts';
import { FileRefused } from './files.ts';
import type { Grant } from './holding.ts';

const maxPages = 2;
/** Milliseconds for the device to clear a broken upload, at the end of a session. */
const clearWait = 2000;

export class FilePages {
  readonly #of: FilesOf;
  readonly #open = new Set<FilePage>();

  constructor(of: FilesOf) {
    this.#of = of;
  }

  join(channel: Channel, grant: Grant): void {
    const files = this.#of.files();
    if (!files) return void refuse(channel, new FileRefused('none'));
    if (this.#open.size >= maxPages)
      return void refuse(channel, new FileRefused('failed', 'other pages show the files'));
    const page: FilePage = new FilePage(channel, grant, this.#of, files, () => this.#open.delete(page));
    this.#open.add(page);
  }

  /** Ends the pages whose sign-in `isAllowed` refuses. */
  async check(isAllowed: (grant: Grant) => Promise<boolean>): Promise<void> {
    for (const page of this.#open) if (!(await isAllowed(page.grant))) page.end();
  }

  /** @returns a promise while the device clears broken uploads */
  end(): Promise<unknown> | null {
    const clearing = Array.from(this.#open, (page) => page.end()).filter((one) => one !== null);
    this.#open.clear();
    if (clearing.length === 0) return null;
    const late = new Promise<void>((resolve) => void setTimeout(resolve, clearWait).unref());
    return Promise.race([Promise.all(clearing), late]);
  }
}

/** A page that may not see the files, or a session without any. */
export function refuse(channel: Channel, refusal: FileRefused): void {
  channel.send(JSON.stringify(failed(refusal)));
  channel.close();
}
