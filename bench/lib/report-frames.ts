import { workbench } from '../../packages/simulator/src/testing.ts';

export interface ReportFrame {
  readonly bytes: number;
  next(): Buffer;
}

const firstBytes = 100_000_000_000;
const bytesAReport = 750_000;
const firstUptime = 1_000_000;
const firstConnected = 20_000;
const minute = 60;
/** Report size of the ingest budget, in bytes. */
const maxBytes = 20_000;

type Json = Record<string, unknown>;

interface Interfaces {
  interfaces: {
    clients?: { mac: string }[];
    ssids?: { associations?: { station: string }[] }[];
  }[];
}

/**
 * Builds reports with distinct clients per device. Later ones overwrite numbers in place; a zero mask keeps positions.
 */
export function reportFrames(serials: readonly string[]): ReportFrame[] {
  const bench = workbench({ aps: 4 });
  bench.pass(90);
  const texts = bench.boxes.map((box) => JSON.stringify(box.state(bench.clock.now())));
  const largest = cut(texts.toSorted((a, b) => b.length - a.length)[0] ?? '{}');
  return serials.map((serial, at) => {
    const state = JSON.parse(largest) as Json;
    prepare(state, at);
    return frameOf(
      `{"jsonrpc":"2.0","method":"state","params":{"serial":"${serial}","uuid":1,"state":${JSON.stringify(state)}}}`,
    );
  });
}

function cut(text: string): string {
  const state = JSON.parse(text) as Interfaces;
  const airs = state.interfaces.flatMap(({ ssids = [] }) => ssids.map(({ associations = [] }) => associations));
  for (;;) {
    const short = JSON.stringify(state);
    if (short.length <= maxBytes) return short;
    const gone = airs.toSorted((a, b) => b.length - a.length)[0]?.pop();
    if (!gone) throw new Error('a report without terminals is too long');
    for (const { clients } of state.interfaces) {
      const at = clients?.findIndex(({ mac }) => mac === gone.station) ?? -1;
      if (at >= 0) clients?.splice(at, 1);
    }
  }
}

function prepare(value: unknown, device: number): void {
  if (Array.isArray(value)) for (const entry of value) prepare(entry, device);
  if (typeof value !== 'object' || value === null) return;
  const record = value as Json;
  for (const [key, inner] of Object.entries(record)) {
    if ((key === 'station' || key === 'bssid' || key === 'mac') && typeof inner === 'string')
      record[key] = own(inner, device);
    else if (key === 'rx_bytes' || key === 'tx_bytes') record[key] = firstBytes;
    else if (key === 'uptime' && 'localtime' in record) record[key] = firstUptime;
    else if (key === 'connected') record[key] = firstConnected;
    else prepare(inner, device);
  }
}

function own(mac: string, device: number): string {
  const number = device.toString(16).padStart(6, '0');
  return [mac.slice(0, 2), number.slice(0, 2), number.slice(2, 4), number.slice(4), mac.slice(-5)].join(':');
}

const growing = /"(uptime|localtime|connected|rx_bytes|tx_bytes)":(\d+)/g;
const expected: Readonly<Record<string, (digits: number) => boolean>> = {
  uptime: (digits) => digits === 7,
  localtime: (digits) => digits === 10,
  connected: (digits) => digits === 5,
  rx_bytes: (digits) => digits === 12,
  tx_bytes: (digits) => digits === 12,
};

function frameOf(text: string): ReportFrame {
  const payload = Buffer.from(text);
  const header = payload.length < 65_536 ? Buffer.alloc(8) : Buffer.alloc(14);
  header[0] = 0x81;
  header[1] = 0x80 | (header.length === 8 ? 126 : 127);
  if (header.length === 8) header.writeUInt16BE(payload.length, 2);
  else header.writeBigUInt64BE(BigInt(payload.length), 2);
  const frame = Buffer.concat([header, payload]);
  const places: { at: number; value: number; step: number }[] = [];
  for (const match of text.matchAll(growing)) {
    const [whole, name = '', digits = ''] = match;
    if (!expected[name]?.(digits.length)) continue;
    const step = name.endsWith('bytes') ? bytesAReport : minute;
    const before = Buffer.byteLength(text.slice(0, match.index + whole.length - digits.length));
    places.push({ at: header.length + before, value: Number(digits), step });
  }
  return {
    bytes: frame.length,
    next() {
      for (const place of places) {
        place.value += place.step;
        frame.write(String(place.value), place.at, 'latin1');
      }
      return frame;
    },
  };
}
