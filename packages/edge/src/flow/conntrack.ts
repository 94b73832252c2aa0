import { isIP } from 'node:net';

/** One way of a connection. */
export interface Way {
  src: string;
  dst: string;
  /** Null where the protocol has no ports. */
  sport: number | null;
  dport: number | null;
  /** As the kernel counts: whole IP packets. Null where nothing was counted. */
  bytes: number | null;
  packets: number | null;
}

/** A connection as the kernel's table shows it. */
export interface Connection {
  /** The kernel's own number of the entry. */
  id: number;
  /** `tcp`, `udp`, `icmp`, or the number of the protocol. */
  protocol: string;
  /** From who began it; addresses before any translation. */
  original: Way;
  /** Of the answers; addresses after translation. */
  reply: Way;
}

/** A line of `conntrack -L -o id` or of `conntrack -E -o id`. */
export interface ConntrackLine {
  /** Null in a list. */
  event: 'NEW' | 'UPDATE' | 'DESTROY' | null;
  connection: Connection;
}

const start = /^(?:\[\d+\.\d+\]\s+)?(?:\[(NEW|UPDATE|DESTROY)\]\s+)?(?:ipv[46]\s+\d+\s+)?([a-z0-9]+)\s+\d+\s/;

/** Reads a line; null where it is none, or one without an id. Numbers that no counter can have are null. */
export function readConntrackLine(line: string): ConntrackLine | null {
  if (line.length > 2048) return null;
  // events without a space of fixed width: `[DESTROY] tcp`, `    [NEW] tcp`
  const text = line.trim();
  const found = start.exec(text);
  if (!found) return null;
  const ways: [string, string][][] = [];
  const ids: string[] = [];
  for (const word of text.slice(found[0].length).split(/\s+/)) {
    const equals = word.indexOf('=');
    if (equals < 0) continue;
    const key = word.slice(0, equals);
    const value = word.slice(equals + 1);
    if (key === 'src') ways.push([]);
    if (key === 'id') ids.push(value);
    else ways.at(-1)?.push([key, value]);
  }
  // each way of an echo request has an id of its own, before that of the entry
  const id = ids.length % 2 === 1 ? whole(ids.at(-1)) : null;
  if (ways.length !== 2 || id === null) return null;
  const original = wayOf(ways[0]!);
  const reply = wayOf(ways[1]!);
  if (!original || !reply) return null;
  const event = (found[1] ?? null) as ConntrackLine['event'];
  return { event, connection: { id, protocol: found[2]!, original, reply } };
}

function wayOf(pairs: readonly [string, string][]): Way | null {
  const said = new Map(pairs);
  const src = said.get('src') ?? '';
  const dst = said.get('dst') ?? '';
  if (isIP(src) === 0 || isIP(dst) === 0) return null;
  const port = (key: string) => {
    const value = whole(said.get(key));
    return value !== null && value <= 65_535 ? value : null;
  };
  return {
    ...{ src: src.toLowerCase(), dst: dst.toLowerCase(), sport: port('sport'), dport: port('dport') },
    ...{ bytes: whole(said.get('bytes')), packets: whole(said.get('packets')) },
  };
}

function whole(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return null;
  const value = Number(text);
  return value <= Number.MAX_SAFE_INTEGER ? value : null;
}
