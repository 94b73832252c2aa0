import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressMemory } from './address-memory.ts';
import { type AskServer, askServer, type DnsServer } from './dns-query.ts';

export interface NameLookupOptions {
  memory: Pick<AddressMemory, 'recall'>;
  servers(): readonly DnsServer[];
  systemFailed?(): void;
  log?(line: string): void;
  system?(name: string): Promise<readonly LookupAddress[]>;
  ask?: AskServer;
}

/** Milliseconds; with dead servers the system takes 10 s and more. */
const systemTimeout = 2_500;

/** Asks the system, the WANs' DNS servers, then memory. A wrong address is harmless: TLS verifies the name. */
export class NameLookup {
  readonly #options: NameLookupOptions;
  /** One per name: each blocks a thread of Node's pool. */
  readonly #asked = new Map<string, Promise<readonly LookupAddress[]>>();
  #logged = '';

  constructor(options: NameLookupOptions) {
    this.#options = options;
  }

  readonly lookup: LookupFunction = (name, options, done) => {
    const family = options.family === 4 || options.family === 6 ? options.family : null;
    this.resolve(name).then(
      (found) => {
        const fitting = found.filter((one) => family === null || one.family === family);
        const [first] = fitting;
        if (first === undefined) done(notFound(name), '');
        else if (options.all) done(null, [...fitting]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };

  /** @throws ENOTFOUND */
  async resolve(name: string): Promise<readonly LookupAddress[]> {
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    const found = await this.#bySystem(name);
    if (found !== null) return this.#from('', found);
    const answer = await this.#byWans(name);
    if (answer !== null) {
      this.#options.systemFailed?.();
      return this.#from(`${name} is resolved by ${answer.server}: the system's resolver failed`, answer.addresses);
    }
    const address = this.#options.memory.recall(name);
    if (address === null) throw notFound(name);
    return this.#from(`${name} is taken to be at ${address} as before: no DNS server answers`, [
      { address, family: isIP(address) },
    ]);
  }

  async #bySystem(name: string): Promise<readonly LookupAddress[] | null> {
    const { system = bySystem } = this.#options;
    let asked = this.#asked.get(name);
    if (asked === undefined) {
      asked = system(name).finally(() => this.#asked.delete(name));
      this.#asked.set(name, asked);
    }
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), systemTimeout);
    });
    const found = await Promise.race([asked.catch(() => null), over]);
    clearTimeout(timer);
    return found === null || found.length === 0 ? null : found;
  }

  async #byWans(name: string): Promise<{ server: string; addresses: readonly LookupAddress[] } | null> {
    const { servers, ask = askServer } = this.#options;
    const asked = servers().map(async (server) => {
      const answer = await ask(server, name);
      if (!('addresses' in answer) || answer.addresses.length === 0) throw notFound(name);
      return { server: server.address, addresses: answer.addresses };
    });
    return Promise.any(asked).catch(() => null);
  }

  #from(line: string, found: readonly LookupAddress[]): readonly LookupAddress[] {
    if (line !== '' && line !== this.#logged) this.#options.log?.(line);
    this.#logged = line;
    return found;
  }
}

function bySystem(name: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}

function notFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
}
