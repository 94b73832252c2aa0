import { randomBytes } from 'node:crypto';

/** `frame` shows the bar around the page; its name differs, so the page cannot touch it. */
export type WebPart = 'page' | 'frame';

export interface WebName {
  /** Of the session. */
  id: string;
  label: string;
  part: WebPart;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const idBytes = 16;
const labelLength = Math.ceil((2 * idBytes * 8) / 5);
const framed = '-bar';

/** Host names of web sessions, one level below the remote host. */
export class WebNames {
  readonly #below: string;
  readonly #scheme: string;
  readonly #port: string;
  /** Where members open a page again. */
  readonly console: string;

  constructor(remoteHost: string, publicUrl: string) {
    const { protocol, port } = new URL(publicUrl);
    this.console = `${publicUrl}/remote`;
    this.#below = `.${remoteHost}`;
    this.#scheme = protocol;
    this.#port = port && `:${port}`;
  }

  get isSecure(): boolean {
    return this.#scheme === 'https:';
  }

  /** A name that cannot be guessed, and that says which session it is of. */
  static newLabel(id: string): string {
    return base32(Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), randomBytes(idBytes)]));
  }

  originOf(label: string, part: WebPart): string {
    return `${this.#scheme}//${label}${part === 'frame' ? framed : ''}${this.#below}${this.#port}`;
  }

  /** Whether a `Host` header names the remote host, or a name below it. */
  takes(host: string | undefined): boolean {
    const name = nameOf(host);
    return name.endsWith(this.#below) || `.${name}` === this.#below;
  }

  /** @returns null for a name that no session can have */
  read(host: string | undefined): WebName | null {
    const name = nameOf(host);
    if (!name.endsWith(this.#below)) return null;
    const first = name.slice(0, -this.#below.length);
    const part = first.endsWith(framed) ? 'frame' : 'page';
    const label = part === 'frame' ? first.slice(0, -framed.length) : first;
    const bytes = fromBase32(label);
    if (!bytes) return null;
    const id = bytes
      .subarray(0, idBytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return { id, label, part };
  }
}

const nameOf = (host: string | undefined) => (host ?? '').replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();

/** RFC 4648, section 6, in lower case and without padding. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: Math.ceil(bits.length / 5) }, (_, at) => {
    const five = bits.slice(at * 5, at * 5 + 5).padEnd(5, '0');
    return alphabet[Number.parseInt(five, 2)];
  }).join('');
}

function fromBase32(text: string): Buffer | null {
  if (text.length !== labelLength) return null;
  const digits = Array.from(text, (one) => alphabet.indexOf(one));
  if (digits.includes(-1)) return null;
  const bits = digits.map((digit) => digit.toString(2).padStart(5, '0')).join('');
  return Buffer.from(
    Array.from({ length: 2 * idBytes }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2)),
  );
}
