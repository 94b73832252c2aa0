import { isIP } from 'node:net';
import { readName } from './rules.ts';

export type DnsLine =
  | { kind: 'query'; serial: number; client: string; name: string }
  | { kind: 'answer'; serial: number; client: string; name: string; address: string | null }
  /** Answered by the configuration: no such name. */
  | { kind: 'refused'; serial: number; client: string; name: string };

const form =
  /^(?:.*\s)?dnsmasq\[\d+\]: (\d{1,10}) ([0-9a-fA-F.:]{2,45})\/\d{1,5} (query\[[A-Za-z0-9=]{1,16}\]|reply|cached|config|\S{1,256}) (\S{1,256}) (?:is|from) (\S{1,256})$/;

export function readDnsLine(line: string): DnsLine | null {
  if (line.length > 1024) return null;
  const found = form.exec(line);
  if (!found) return null;
  const [serial, client, what] = [Number(found[1]), found[2]!, found[3]!];
  const name = readName(found[4]!);
  if (name === null || isIP(client) === 0) return null;
  if (what.startsWith('query[')) return { kind: 'query', serial, client, name };
  const text = found[5]!;
  if (what === 'config' && text === 'NXDOMAIN') return { kind: 'refused', serial, client, name };
  if (isIP(text) !== 0) return { kind: 'answer', serial, client, name, address: text.toLowerCase() };
  return text === '<CNAME>' ? { kind: 'answer', serial, client, name, address: null } : null;
}

/** By address, as a client's resolver returned it; entries expire. */
export class Names {
  readonly #asked = new Map<string, { name: string; at: number }>();
  readonly #byClient = new Map<string, Map<string, { name: string; at: number }>>();

  #held = 0;

  /** @param age milliseconds */
  constructor(
    readonly age = 3_600_000,
    readonly maxClients = 2000,
    readonly maxEach = 500,
    readonly maxInAll = 20_000,
  ) {}

  take(line: DnsLine, at: number): void {
    const exchange = `${line.serial} ${line.client}`;
    if (line.kind === 'query') {
      put(this.#asked, exchange, { name: line.name, at }, 1000);
      return;
    }
    if (line.kind === 'refused' || line.address === null) return;
    // the queried name, not the CNAME's end: `www.example.com` instead of a CDN host
    const name = this.#asked.get(exchange)?.name ?? line.name;
    const answers = this.#byClient.get(line.client) ?? new Map<string, { name: string; at: number }>();
    const before = answers.size;
    put(answers, line.address, { name, at }, this.maxEach);
    this.#held += answers.size - before;
    this.#byClient.delete(line.client);
    this.#byClient.set(line.client, answers);
    // least recently active client first: one that floods cannot evict others
    for (const [client, theirs] of this.#byClient) {
      if (this.#byClient.size <= this.maxClients && this.#held <= this.maxInAll) break;
      if (client === line.client) break;
      this.#byClient.delete(client);
      this.#held -= theirs.size;
    }
  }

  nameOf(client: string, address: string, at: number): string | null {
    const found = this.#byClient.get(client)?.get(address);
    return found && at - found.at <= this.age ? found.name : null;
  }
}

function put<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) for (const oldest of map.keys()) return void map.delete(oldest);
}
