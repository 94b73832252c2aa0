import { Duplex } from 'node:stream';

/** RFC 6143, sections 7.1.2, 7.5 and 7.7.3. */
const messages = { pixelFormat: 0, encodings: 2, request: 3, key: 4, pointer: 5, cut: 6 } as const;
const bodies: Readonly<Record<number, number>> = { 0: 19, 3: 9, 4: 7, 5: 5 };
const rre = 2;
const size = { width: 480, height: 320 } as const;
const name = 'POS';

/** Three by five dots. */
const digits = [0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf] as const;
const goods = [150, 380, 520, 700, 990, 1250] as const;
const colours = {
  back: 0x1d2733,
  paper: 0xf2f4f7,
  ink: 0x1d2733,
  good: 0x2f6fed,
  pay: 0x1f9d61,
  light: 0xffffff,
} as const;

interface Part {
  colour: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** VNC server of a till: goods add to the sum, the bar pays. */
export class SimulatedScreen extends Duplex {
  readonly #talk: Generator<number, void, Buffer>;
  #wanted: number;
  #rest: Buffer = Buffer.alloc(0);
  /** Of red, green and blue. */
  #shifts: readonly [number, number, number] = [16, 8, 0];
  #sum = 0;
  #isPressed = false;
  #isShown = false;
  #isAsked = false;

  constructor() {
    super();
    this.#talk = this.#speak();
    this.#wanted = this.#talk.next().value ?? 0;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#wanted > 0 && this.#rest.length >= this.#wanted) {
      const part = this.#rest.subarray(0, this.#wanted);
      this.#rest = this.#rest.subarray(this.#wanted);
      this.#wanted = this.#talk.next(part).value ?? 0;
      if (this.#wanted === 0) this.push(null);
    }
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  /** Yields the number of bytes that it needs. */
  *#speak(): Generator<number, void, Buffer> {
    this.push('RFB 003.008\n');
    yield 12;
    this.push(Buffer.from([1, 1]));
    yield 1;
    this.push(Buffer.alloc(4));
    yield 1;
    const format = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);
    this.push(Buffer.concat([words(size.width, size.height), format, words(0, name.length), Buffer.from(name)]));
    for (;;) {
      const type = (yield 1)[0]!;
      if (type === messages.encodings) {
        const listed = yield 4 * (yield 3).readUInt16BE(1);
        const offered = Array.from({ length: listed.length / 4 }, (_, at) => listed.readInt32BE(4 * at));
        if (!offered.includes(rre)) return;
      } else if (type === messages.cut) {
        const length = (yield 7).readUInt32BE(3);
        if (length > 0) yield length;
      } else {
        const length = bodies[type];
        if (length === undefined || !this.#hear(type, yield length)) return;
      }
    }
  }

  #hear(type: number, body: Buffer): boolean {
    if (type === messages.pixelFormat) {
      if (body[3] !== 32) return false;
      this.#shifts = [body[13]!, body[14]!, body[15]!];
    } else if (type === messages.request) {
      this.#isAsked = true;
      if (body[0] === 0) this.#isShown = false;
    } else if (type === messages.pointer) {
      const isPressed = (body[0]! & 1) === 1;
      if (isPressed && !this.#isPressed) this.#press(body.readUInt16BE(1), body.readUInt16BE(3));
      this.#isPressed = isPressed;
    }
    if (this.#isAsked && !this.#isShown) {
      this.push(this.#picture());
      this.#isShown = true;
      this.#isAsked = false;
    }
    return true;
  }

  #press(x: number, y: number): void {
    const good = goods.find((_, at) => holds(tile(at), x, y));
    if (good !== undefined) this.#sum = (this.#sum + good) % 1_000_000;
    else if (holds(bar, x, y)) this.#sum = 0;
    else return;
    this.#isShown = false;
  }

  #picture(): Buffer {
    const parts = [
      { colour: colours.paper, x: 20, y: 20, width: 440, height: 70 },
      ...written(this.#sum, 440, 35, 8, colours.ink),
      ...goods.flatMap((price, at) => {
        const { x, y, width } = tile(at);
        return [tile(at), ...written(price, x + width - 10, y + 20, 4, colours.light)];
      }),
      bar,
    ];
    const head = Buffer.concat([Buffer.alloc(2), words(1, 0, 0, size.width, size.height, 0, rre, 0, parts.length)]);
    const drawn = parts.map(({ colour, x, y, width, height }) =>
      Buffer.concat([this.#pixel(colour), words(x, y, width, height)]),
    );
    return Buffer.concat([head, this.#pixel(colours.back), ...drawn]);
  }

  #pixel(colour: number): Buffer {
    const [red, green, blue] = this.#shifts;
    const pixel = Buffer.alloc(4);
    const value = ((colour >> 16) << red) | (((colour >> 8) & 255) << green) | ((colour & 255) << blue);
    pixel.writeInt32LE(value);
    return pixel;
  }
}

const bar: Part = { colour: colours.pay, x: 20, y: 270, width: 440, height: 36 };

function tile(at: number): Part {
  return { colour: colours.good, x: 20 + (at % 3) * 150, y: 105 + Math.floor(at / 3) * 80, width: 140, height: 70 };
}

const holds = (part: Part, x: number, y: number) =>
  x >= part.x && y >= part.y && x < part.x + part.width && y < part.y + part.height;

/** `amount` in hundredths. */
function written(amount: number, right: number, y: number, dot: number, colour: number): Part[] {
  const text = String(amount).padStart(3, '0');
  return Array.from(text).flatMap((digit, place) => {
    const behind = text.length - place;
    const x = right - behind * 4 * dot - (behind > 2 ? dot * 2 : 0);
    const point = { colour, x: x + 4 * dot, y: y + 4 * dot, width: dot, height: dot };
    const dots = Array.from({ length: 15 }, (_, bit) => bit).filter(
      (bit) => (digits[Number(digit)]! >> (14 - bit)) & 1,
    );
    return [
      ...dots.map((bit) => ({ ...point, x: x + (bit % 3) * dot, y: y + Math.floor(bit / 3) * dot })),
      ...(behind === 3 ? [point] : []),
    ];
  });
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}
