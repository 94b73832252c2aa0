import { createCipheriv, randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';

/** RFC 6143, sections 7.1.2, 7.2.2, 7.6.1 and 7.5. */
const security = { none: 1, password: 2 } as const;
const messages = { pixelFormat: 0, encodings: 2, request: 3, key: 4, pointer: 5, cut: 6 } as const;
const lengths: Readonly<Record<number, number>> = { 0: 20, 3: 10, 4: 8, 5: 6 };
/** 32 bits, depth 24, true colour, blue first. */
const format = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);
const size = { width: 8, height: 4 } as const;

/** RFC 6143, section 7.2.2: DES whose key has mirrored bytes. */
export function vncResponse(challenge: Buffer, password: string): Buffer {
  const key = Buffer.alloc(8);
  Buffer.from(password).copy(key);
  const mirrored = key.map((byte) =>
    Number.parseInt(byte.toString(2).padStart(8, '0').split('').toReversed().join(''), 2),
  );
  const cipher = createCipheriv('des-ede3', Buffer.concat([mirrored, mirrored, mirrored]), null);
  return cipher.setAutoPadding(false).update(challenge);
}

/** Of one colour, which a key changes. */
export class RfbDouble {
  readonly keys: number[] = [];
  readonly pasted: string[] = [];
  readonly server: Server;
  closed = 0;
  readonly #password: string | null;

  constructor(password: string | null = null) {
    this.#password = password;
    this.server = createServer((socket) => void this.#serve(socket));
  }

  async #serve(socket: Socket): Promise<void> {
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.closed += 1;
      });
    const take = reader(socket);
    socket.write('RFB 003.008\n');
    await take(12);
    const kind = this.#password === null ? security.none : security.password;
    socket.write(Buffer.from([1, kind]));
    await take(1);
    if (this.#password !== null) {
      const challenge = randomBytes(16);
      socket.write(challenge);
      if (!(await take(16)).equals(vncResponse(challenge, this.#password))) {
        const reason = 'wrong password';
        return void socket.end(Buffer.concat([int32(1), int32(reason.length), Buffer.from(reason)]));
      }
    }
    socket.write(int32(0));
    await take(1);
    const name = Buffer.from('till');
    socket.write(Buffer.concat([int16(size.width), int16(size.height), format, int32(name.length), name]));
    let [colour, shown, isAsked] = [0x10, -1, false];
    for (;;) {
      const [type = 0] = await take(1);
      if (type === messages.encodings) {
        const count = (await take(3)).readUInt16BE(1);
        await take(4 * count);
        continue;
      }
      if (type === messages.cut) {
        const length = (await take(7)).readUInt32BE(3);
        this.pasted.push((await take(length)).toString('latin1'));
        continue;
      }
      const body = await take((lengths[type] ?? 1) - 1);
      if (type === messages.key && body[0] === 1) {
        this.keys.push(body.readUInt32BE(3));
        colour = 0x77;
      }
      if (type === messages.request) {
        isAsked = true;
        if (body[0] === 0) shown = -1;
      }
      if (!isAsked || shown === colour) continue;
      socket.write(picture(colour));
      [isAsked, shown] = [false, colour];
    }
  }
}

function picture(colour: number): Buffer {
  const { width, height } = size;
  const head = Buffer.concat([
    Buffer.from([0, 0]),
    int16(1),
    int16(0),
    int16(0),
    int16(width),
    int16(height),
    int32(0),
  ]);
  return Buffer.concat([head, Buffer.alloc(width * height * 4, colour)]);
}

function reader(socket: Socket): (count: number) => Promise<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let wake: (() => void) | null = null;
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    wake?.();
  });
  return async (count) => {
    while (rest.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
