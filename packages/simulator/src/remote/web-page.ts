import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

/** One end of a connection within the process; the reader slows the writer. */
class End extends Duplex {
  #peer: End | null = null;
  #held: (() => void) | null = null;

  static pair(): [End, End] {
    const [one, other] = [new End(), new End()];
    one.#peer = other;
    other.#peer = one;
    return [one, other];
  }

  override _read(): void {
    const go = this.#held;
    this.#held = null;
    go?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const peer = this.#peer!;
    if (peer.destroyed || peer.push(chunk)) done();
    else peer.#held = done;
  }

  override _final(done: () => void): void {
    this.#peer!.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#peer!.destroyed) this.#peer!.push(null);
    done(error);
  }
}

const style =
  'body{margin:0;background:#1d2733;color:#f2f4f7;font:15px sans-serif}header{padding:12px 20px;background:#141b24}main{padding:20px}input,button{padding:8px;font:inherit}svg{max-width:640px;width:100%;background:#0d1218}';

const page = (host: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><title>${host}</title><meta name="viewport" content="width=device-width"><style>${style}</style><header>${host}</header><main>${body}</main>`;

const signIn =
  '<form method="post" action="/sign-in"><p>Sign in (simulated: any password)<p><input name="user" value="admin"> <input name="password" type="password"> <button>Sign in</button></form>';

function live(now: Date): string {
  const x = 40 + ((now.getTime() / 250) % 240);
  const clock = now.toISOString().slice(0, 19).replace('T', ' ');
  return `<svg viewBox="0 0 320 180" role="img"><rect y="120" width="320" height="60" fill="#33414f"/><rect x="220" y="50" width="60" height="70" fill="#51606f"/><circle cx="${x}" cy="105" r="10" fill="#f2b84b"/><rect x="${x - 8}" y="115" width="16" height="34" fill="#f2b84b"/><text x="8" y="20" fill="#fff" font-size="12">${clock}</text></svg>`;
}

/** Web server of a simulated camera: a sign-in that takes any password, and a picture that moves. */
function answer(host: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (request.url === '/sign-in' && request.method === 'POST') {
    request.resume();
    return void response.writeHead(303, { location: '/', 'set-cookie': 'session=1; Path=/; HttpOnly' }).end();
  }
  if (!request.headers.cookie?.includes('session=1')) return void response.end(page(host, signIn));
  response.setHeader('refresh', '5');
  response.end(page(host, live(new Date())));
}

/** @returns the visitor's end of a new connection */
export function openWebPage(host: string): Duplex {
  const [visitor, own] = End.pair();
  createServer((request, response) => answer(host, request, response)).emit('connection', own);
  return visitor;
}
