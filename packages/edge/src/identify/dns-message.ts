/** RFC 1035, RFC 2782. */
export const dnsTypes = { ptr: 12, txt: 16, srv: 33 } as const;

export interface DnsRecord {
  /** Labels may contain dots. */
  name: readonly string[];
  type: number;
  target: readonly string[] | null;
  texts: readonly string[];
}

const header = 12;
/** RFC 1035; the others bound hostile messages. */
const [maxName, maxJumps, maxRecords, maxTexts] = [255, 16, 64, 32];

/** Asks for PTR records and unicast answers (RFC 6762). */
export function ptrQuery(names: readonly string[]): Buffer {
  const head = Buffer.alloc(header);
  head.writeUInt16BE(names.length, 4);
  const questions = names.map((name) => {
    const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
    return Buffer.concat([...labels, Buffer.from([0, 0, dnsTypes.ptr, 0x80, 0x01])]);
  });
  return Buffer.concat([head, ...questions]);
}

/** Stops at the first malformed record. */
export function readDnsAnswer(packet: Buffer): DnsRecord[] {
  const records: DnsRecord[] = [];
  if (packet.length < header || (packet[2]! & 0x80) === 0) return records;
  let at = header;
  for (let left = Math.min(packet.readUInt16BE(4), maxRecords); left > 0; left -= 1) {
    const question = readName(packet, at);
    if (question === null) return records;
    at = question.end + 4;
  }
  const counts = [6, 8, 10].reduce((sum, place) => sum + packet.readUInt16BE(place), 0);
  for (let left = Math.min(counts, maxRecords); left > 0; left -= 1) {
    const owner = readName(packet, at);
    if (owner === null || owner.end + 10 > packet.length) return records;
    const type = packet.readUInt16BE(owner.end);
    const begin = owner.end + 10;
    at = begin + packet.readUInt16BE(owner.end + 8);
    if (at > packet.length) return records;
    const pointed = type === dnsTypes.ptr ? begin : type === dnsTypes.srv ? begin + 6 : null;
    const target = pointed === null ? null : (readName(packet, pointed)?.labels ?? null);
    records.push({
      name: owner.labels,
      type,
      target,
      texts: type === dnsTypes.txt ? readTexts(packet.subarray(begin, at)) : [],
    });
  }
  return records;
}

/** Follows pointers backwards only, so that it ends. */
function readName(packet: Buffer, from: number): { labels: string[]; end: number } | null {
  const labels: string[] = [];
  let [at, end, length, jumps] = [from, -1, 0, 0];
  for (;;) {
    const size = packet[at];
    if (size === undefined) return null;
    if (size === 0) return { labels, end: end < 0 ? at + 1 : end };
    if ((size & 0xc0) === 0xc0) {
      const low = packet[at + 1];
      const to = ((size & 0x3f) << 8) | (low ?? 0);
      jumps += 1;
      if (low === undefined || to >= at || jumps > maxJumps) return null;
      if (end < 0) end = at + 2;
      at = to;
      continue;
    }
    length += size + 1;
    if (size > 63 || length > maxName || at + 1 + size > packet.length) return null;
    labels.push(packet.toString('utf8', at + 1, at + 1 + size));
    at += size + 1;
  }
}

function readTexts(data: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < data.length && texts.length < maxTexts; at += 1 + data[at]!)
    texts.push(data.toString('utf8', at + 1, Math.min(data.length, at + 1 + data[at]!)));
  return texts;
}
