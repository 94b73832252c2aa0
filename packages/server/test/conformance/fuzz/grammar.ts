import { deflateSync } from 'node:zlib';

/** xorshift32: reproducible on every machine. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  chance(of: number): boolean {
    return this.next() < of;
  }
}

/** JSON as text, which can hold duplicate keys, odd numbers and lone surrogates. */
type Text = string;

const methods = [
  'connect',
  'state',
  'healthcheck',
  'log',
  'event',
  'telemetry',
  'wifiscan',
  'alarm',
  'crashlog',
  'rebootLog',
  'recovery',
  'deviceupdate',
  'venue_broadcast',
  'ping',
  'cfgpending',
  'somethingNew',
  '',
  '__proto__',
  'constructor',
  'x'.repeat(200),
];

const numbers: readonly Text[] = [
  '0',
  '1',
  '-1',
  '-0',
  '0.5',
  '1e3',
  '1e308',
  '1e999',
  '-1e999',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '18446744073709551616',
  '1700000000',
  '-2147483649',
  '1E-400',
];

const strings: readonly Text[] = [
  '""',
  '"a"',
  '"903cb3000001"',
  '"90:3C:B3:00:00:01"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"中文\\n"',
  '"1"',
  '"NaN"',
  '"true"',
  '"__proto__"',
  '"2026-01-01T00:00:00Z"',
  '"192.168.1.2"',
  '"fe80::1"',
  '"<script>"',
  '"\\"\\\\"',
  '"%s%n"',
  '"\'; drop table device; --"',
  `"${'A'.repeat(5000)}"`,
  '"\\uffff"',
];

const keys = [
  'serial',
  'uuid',
  'state',
  'firmware',
  'capabilities',
  'reason',
  'data',
  'event',
  'log',
  'severity',
  'sanity',
  'unit',
  'memory',
  'radios',
  'interfaces',
  'ssids',
  'associations',
  'clients',
  'counters',
  'link-state',
  'version',
  'platform',
  'compatible',
  'model',
  'request_uuid',
  'type',
  'payload',
  'loglines',
  'info',
  'date',
  'reboot',
  'currentPassword',
  'password',
  'timestamp',
  'active',
  'status',
  'error',
  'text',
  'rejected',
  'uptime',
  'load',
  'localtime',
  'total',
  'free',
  'compress_64',
  'compress_sz',
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  'id',
  'result',
  'wifi',
  'band',
];

/** Frames of the device protocol: mostly valid messages, then mutated. Some are neither JSON nor UTF-8. */
export class WireGrammar {
  readonly #dice: Dice;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
  }

  frame(): Buffer {
    const dice = this.#dice;
    const kind = dice.below(100);
    if (kind < 62) return Buffer.from(this.#message());
    if (kind < 72) return Buffer.from(this.#reply());
    if (kind < 80) return this.#compressed();
    if (kind < 83) return Buffer.from(this.#radius());
    if (kind < 86) return Buffer.from(this.#value(4));
    if (kind < 88) return Buffer.from(this.#deep());
    return this.#mangle(Buffer.from(dice.chance(0.8) ? this.#message() : this.#reply()));
  }

  #message(): Text {
    const dice = this.#dice;
    const method = dice.chance(0.05) ? this.#value(1) : JSON.stringify(dice.pick(methods));
    const params = dice.chance(0.9) ? this.#params(method) : this.#value(2);
    const fields = [
      `"jsonrpc":${dice.chance(0.95) ? '"2.0"' : this.#value(1)}`,
      `"method":${method}`,
      `"params":${params}`,
    ];
    if (dice.chance(0.1)) fields.splice(dice.below(3), 1);
    if (dice.chance(0.1)) fields.push(`${JSON.stringify(dice.pick(keys))}:${this.#value(2)}`);
    return `{${fields.join(',')}}`;
  }

  #params(method: Text): Text {
    const dice = this.#dice;
    const known: Record<string, () => string[]> = {
      '"connect"': () => ['serial', 'firmware', 'uuid', 'reason', 'capabilities', 'password'],
      '"state"': () => ['serial', 'uuid', 'state', 'request_uuid'],
      '"event"': () => ['serial', 'data'],
      '"healthcheck"': () => ['serial', 'uuid', 'sanity', 'data'],
      '"log"': () => ['serial', 'log', 'severity'],
    };
    const names = known[method]?.() ?? ['serial', 'uuid', 'data', dice.pick(keys)];
    const fields = names.filter(() => dice.chance(0.9)).map((name) => `"${name}":${this.#field(name)}`);
    if (dice.chance(0.2)) fields.push(`${JSON.stringify(dice.pick(keys))}:${this.#value(3)}`);
    return `{${fields.join(',')}}`;
  }

  #field(name: string): Text {
    const dice = this.#dice;
    if (dice.chance(0.15)) return this.#value(3);
    switch (name) {
      case 'serial':
        return '"903cb3000001"';
      case 'uuid':
        return dice.pick(numbers);
      case 'state':
        return this.#state();
      case 'capabilities':
        return `{"platform":${dice.pick(['"ap"', '"switch"', '"olg"', '7', 'null'])},"model":${dice.pick(strings)},"wifi":${this.#value(3)},"compress_cmd":${dice.pick(['true', 'false', '1', '"yes"'])}}`;
      case 'data':
        return `{"event":[${dice.pick(numbers)},{"type":${dice.pick(strings)},"payload":${this.#value(3)}}]}`;
      default:
        return dice.chance(0.5) ? dice.pick(strings) : this.#value(2);
    }
  }

  #state(): Text {
    const dice = this.#dice;
    const counters = `{"rx_bytes":${dice.pick(numbers)},"tx_bytes":${dice.pick(numbers)},"collisions":${this.#value(1)}}`;
    const station = `{"station":${dice.pick(strings)},"rssi":${dice.pick(numbers)},"ipaddr_v4":${this.#value(2)},"delta_counters":${counters}}`;
    const many = <T>(make: () => T): string => Array.from({ length: dice.below(4) }, make).join(',');
    const ssid = (): Text =>
      `{"ssid":${dice.pick(strings)},"band":${this.#value(1)},"counters":${counters},"associations":[${many(() => station)}]}`;
    const port = (): Text =>
      `{"name":${dice.pick(strings)},"location":"/interfaces/0","ipv4":${this.#value(2)},"counters":${counters},"ssids":[${many(ssid)}],"clients":${this.#value(2)}}`;
    return `{"version":1,"unit":{"uptime":${dice.pick(numbers)},"load":${this.#value(2)},"memory":{"total":${dice.pick(numbers)},"free":${dice.pick(numbers)}}},"radios":[${many(() => this.#value(2))}],"interfaces":[${many(port)}],"link-state":${this.#value(3)}}`;
  }

  #reply(): Text {
    const dice = this.#dice;
    const status = `{"error":${dice.pick(numbers)},"text":${dice.pick(strings)},"rejected":${this.#value(2)}}`;
    const result = dice.chance(0.8)
      ? `{"serial":"903cb3000001","uuid":${dice.pick(numbers)},"status":${status}}`
      : this.#value(2);
    return `{"jsonrpc":"2.0","id":${dice.chance(0.7) ? dice.pick(numbers) : this.#value(1)},"${dice.pick(['result', 'result', 'error'])}":${result}}`;
  }

  #radius(): Text {
    const dice = this.#dice;
    return `{"radius":${dice.pick(['"auth"', '"acct"', '"coa"', '"x"', '1'])},"data":${this.#value(1)}}`;
  }

  #value(depth: number): Text {
    const dice = this.#dice;
    const kind = dice.below(depth > 0 ? 9 : 6);
    if (kind < 2) return dice.pick(numbers);
    if (kind < 4) return dice.pick(strings);
    if (kind < 6) return dice.pick(['null', 'true', 'false']);
    const size = dice.below(4);
    if (kind < 7) return `[${Array.from({ length: size }, () => this.#value(depth - 1)).join(',')}]`;
    return `{${Array.from({ length: size }, () => `${JSON.stringify(dice.pick(keys))}:${this.#value(depth - 1)}`).join(',')}}`;
  }

  #compressed(): Buffer {
    const dice = this.#dice;
    const inner = dice.chance(0.1) ? this.#deep() : dice.chance(0.8) ? this.#params('"state"') : this.#value(3);
    let packed: Buffer = deflateSync(dice.chance(0.01) ? Buffer.alloc(9 * 1024 * 1024, 0x20) : inner, { level: 1 });
    if (dice.chance(0.2)) packed = this.#mangle(packed);
    let text = packed.toString('base64');
    if (dice.chance(0.1)) text = dice.pick(['', '=', 'not base64 at all', text.slice(1), text.replaceAll('A', '-')]);
    const size = dice.chance(0.5) ? String(inner.length) : dice.pick(numbers);
    const sizeField = dice.chance(0.9) ? `,"compress_sz":${size}` : '';
    return Buffer.from(
      `{"jsonrpc":"2.0","method":${JSON.stringify(dice.pick(methods))},"params":{"compress_64":"${text}"${sizeField}}}`,
    );
  }

  #deep(): Text {
    const dice = this.#dice;
    const depth = dice.pick([20, 63, 64, 65, 66, 200, 5000, 50_000]);
    const [open, close] = dice.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    return `{"jsonrpc":"2.0","method":"state","params":{"state":${open.repeat(depth)}1${close.repeat(dice.chance(0.8) ? depth : 0)}}}`;
  }

  #mangle(bytes: Buffer): Buffer {
    const dice = this.#dice;
    if (bytes.length === 0) return bytes;
    const at = dice.below(bytes.length);
    switch (dice.below(5)) {
      case 0:
        return bytes.subarray(0, at);
      case 1:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(dice.below(bytes.length))]);
      case 2:
        return Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([dice.below(256), dice.below(256)]),
          bytes.subarray(at),
        ]);
      case 3:
        return Buffer.concat([bytes, bytes.subarray(at)]);
      default: {
        const flipped = Buffer.from(bytes);
        for (let flips = 1 + dice.below(4); flips > 0; flips -= 1)
          flipped[dice.below(flipped.length)] = dice.below(256);
        return flipped;
      }
    }
  }
}
