import { Transform } from 'node:stream';

export interface Device {
  host: string;
  port: number;
  scheme: 'http' | 'https';
}

export interface OwnAddress {
  /** `http://10.0.0.7:8080`, as the device knows itself. */
  readonly origin: string;
  /** `10.0.0.7:8080`; a usual port is left out. */
  readonly authority: string;
  /** Puts the origin of the session in the place of the device's own. */
  rewrite(text: string): string;
  /** Streams texts in any encoding that keeps ASCII. */
  rewriting(): Transform;
}

const usualPorts: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };
/** More characters than the longest address. */
const longest = 80;

export function ownAddressOf({ host, port, scheme }: Device, origin: string): OwnAddress {
  const authority = port === usualPorts[scheme] ? host : `${host}:${port}`;
  const { host: shown, protocol } = new URL(origin);
  const socketScheme = protocol === 'https:' ? 'wss:' : 'ws:';
  const quoted = host.replaceAll('.', '\\.');
  // JSON and scripts write slashes as \/
  const pattern = new RegExp(`(?:\\b(https?|wss?):)?((?:\\\\?/){2})${quoted}(?::(\\d{1,5}))?(?![\\w.:-])`, 'gi');

  const replaced = (match: RegExpMatchArray): string => {
    const [whole, named, slashes = '', written] = match;
    const meant = written ? Number(written) : named ? usualPorts[named.toLowerCase()] : port;
    if (meant !== port) return whole;
    if (!named) return `${slashes}${shown}`;
    return `${/^ws/i.test(named) ? socketScheme : protocol}${slashes}${shown}`;
  };

  function replaceUntil(text: string, cut: number): { done: string; rest: string } {
    let done = '';
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      if (match.index >= cut) break;
      done += text.slice(at, match.index) + replaced(match);
      at = match.index + match[0].length;
    }
    const end = Math.max(at, cut);
    return { done: done + text.slice(at, end), rest: text.slice(end) };
  }

  return {
    origin: `${scheme}://${authority}`,
    authority,
    rewrite: (text) => replaceUntil(text, text.length).done,
    rewriting() {
      let rest = '';
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const text = rest + chunk.toString('latin1');
          const out = replaceUntil(text, text.length - longest);
          rest = text.length > longest ? out.rest : text;
          done(null, text.length > longest ? Buffer.from(out.done, 'latin1') : undefined);
        },
        flush(done) {
          done(null, Buffer.from(replaceUntil(rest, rest.length).done, 'latin1'));
        },
      });
    },
  };
}
