import { isIP } from 'node:net';
import { asRecord, asText } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';

export class AddressMemory {
  readonly #path: string;
  #known: { name: string; address: string } | null;

  constructor(path: string) {
    this.#path = path;
    const read = asRecord<{ name: string; address: string }>(readJson(path));
    const [name, address] = [asText(read.name, 255), asText(read.address, 64)];
    this.#known = name !== null && address !== null && isIP(address) !== 0 ? { name, address } : null;
  }

  recall(name: string): string | null {
    return this.#known?.name === name ? this.#known.address : null;
  }

  remember(name: string, address: string): void {
    if (this.recall(name) === address) return;
    this.#known = { name, address };
    try {
      writeDurably(this.#path, JSON.stringify(this.#known));
    } catch {
      // a full disk must not end the new session
    }
  }
}
