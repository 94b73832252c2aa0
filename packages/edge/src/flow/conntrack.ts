import { isIP } from 'node:net';

export interface Way {
  src: string;
  dst: string;
  sport: number | null;
  dport: number | null;
  /** IP packets; null without accounting. */
  bytes: number | null;
  packets: number | null;
}

export interface Connection {
  id: number;
  protocol: string;
  /** Initiator; addresses before NAT. */
  original: Way;
  /** Answers; addresses after NAT. */
  reply: Way;
}

export interface ConntrackLine {
  event: 'NEW' | 'UPDATE' | 'DESTROY' | null;
  connection: Connection;
}

const start = /^(?:\[\d+\.\d+\]\s+)?(?:\[(NEW|UPDATE|DESTROY)\]\s+)?(?:ipv[46]\s+\d+\s+)?([a-z0-9]+)\s+\d+\s/;

/**
 * Parses a line of `conntrack -L -o id` or `-E -o id`. Null without an id; implausible numbers become null. Avoids
 * allocations: tables have tens of thousands of lines.
 */
export function readConntrackLine(line: string): ConntrackLine | null {
  if (line.length > 2048) return null;
  const text = line.trim();
  const found = start.exec(text);
  if (!found) return null;
  const ways: Way[] = [];
  let way: Way | null = null;
  let ids = 0;
  let id: number | null = null;
  for (const word of text.slice(found[0].length).split(' ')) {
    const equals = word.indexOf('=');
    if (equals < 0) continue;
    const value = word.slice(equals + 1);
    switch (word.slice(0, equals)) {
      case 'src':
        way = { src: value, dst: '', sport: null, dport: null, bytes: null, packets: null };
        ways.push(way);
        break;
      case 'dst':
        if (way) way.dst = value;
        break;
      case 'sport':
        if (way) way.sport = port(value);
        break;
      case 'dport':
        if (way) way.dport = port(value);
        break;
      case 'packets':
        if (way) way.packets = whole(value);
        break;
      case 'bytes':
        if (way) way.bytes = whole(value);
        break;
      case 'id':
        ids += 1;
        id = whole(value);
    }
  }
  // ICMP echo has an id per direction, before the entry's
  if (ways.length !== 2 || ids % 2 === 0 || id === null) return null;
  const [original, reply] = ways as [Way, Way];
  for (const one of ways) if (isIP(one.src) === 0 || isIP(one.dst) === 0) return null;
  return {
    event: (found[1] ?? null) as ConntrackLine['event'],
    connection: { id, protocol: found[2]!, original, reply },
  };
}

/** Returns id and total bytes, or null: enough for most lines, which have not changed. */
export function glance(line: string): { id: number; bytes: number } | null {
  const at = line.lastIndexOf(' id=');
  const first = line.indexOf(' bytes=');
  const second = line.indexOf(' bytes=', first + 7);
  if (first < 0 || second < 0 || at < second) return null;
  const id = Number.parseInt(line.slice(at + 4), 10);
  const bytes =
    Number.parseInt(line.slice(first + 7, first + 24), 10) + Number.parseInt(line.slice(second + 7, second + 24), 10);
  return Number.isSafeInteger(id) && Number.isSafeInteger(bytes) ? { id, bytes } : null;
}

function port(text: string): number | null {
  const value = whole(text);
  return value !== null && value <= 65_535 ? value : null;
}

function whole(text: string): number | null {
  if (text.length > 16 || !/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value <= Number.MAX_SAFE_INTEGER ? value : null;
}
