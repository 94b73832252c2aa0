import { remoteLimits } from '@yunxun/contract/device';

/** Each has a cost beside its bytes. */
const maxChunks = 512;

export class Replay {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > remoteLimits.replayBytes) {
      const first = this.#chunks[0]!;
      const over = this.#bytes - remoteLimits.replayBytes;
      if (first.length > over) this.#chunks[0] = first.subarray(over);
      else this.#chunks.shift();
      this.#bytes -= Math.min(first.length, over);
    }
    if (this.#chunks.length > maxChunks) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  read(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = all.length === 0 ? [] : [all];
    return all;
  }
}
