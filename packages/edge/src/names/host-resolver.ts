import { isIP } from 'node:net';
import { type AskServer, askServer, type DnsServer, rankOf } from './dns-query.ts';

export interface HostResolverOptions {
  read(): string;
  servers(): readonly DnsServer[];
  name: string | null;
  offer(servers: readonly string[]): void;
  now(): number;
  log(line: string): void;
  ask?: AskServer;
}

/** Milliseconds. */
const recheck = 300_000;
/** glibc's limit. */
const maxServers = 3;

/**
 * Offers the WANs' servers if those in /etc/resolv.conf do not answer. The file is empty, for example, without the
 * distribution's DHCP client.
 */
export class HostResolver {
  readonly #options: HostResolverOptions;
  #seen = '';
  #checkedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(options: HostResolverOptions) {
    this.#options = options;
  }

  failed(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#options.log(`the name servers of this machine: ${String(error)}`))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { read, servers, offer, now, log } = this.#options;
    const known = servers();
    if (known.length === 0) return;
    const listed = nameServers(read()).slice(0, maxServers);
    const seen = JSON.stringify([listed, known]);
    if (seen === this.#seen && now() - this.#checkedAt < recheck) return;
    this.#seen = seen;
    this.#checkedAt = now();
    const here = await this.#rank(listed.map((address) => ({ address, from: null })));
    if (here.best === 2) return;
    const ofWans = await this.#rank(known);
    if (ofWans.best <= here.best) return;
    const wanted = [...new Set(ofWans.ranked)].slice(0, maxServers);
    log(`no DNS server of /etc/resolv.conf works: the machine gets ${wanted.join(', ')}`);
    offer(wanted);
  }

  async #rank(servers: readonly DnsServer[]): Promise<{ best: number; ranked: readonly string[] }> {
    const { ask = askServer, name } = this.#options;
    const results = await Promise.all(
      servers.map(async (server) => ({ address: server.address, rank: rankOf(await ask(server, name)) })),
    );
    return {
      best: Math.max(0, ...results.map(({ rank }) => rank)),
      ranked: results.toSorted((a, b) => b.rank - a.rank).map(({ address }) => address),
    };
  }
}

export function nameServers(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [key, address = ''] = line.trim().split(/\s+/);
    return key === 'nameserver' && isIP(address) !== 0 ? [address] : [];
  });
}
