import { type IncomingHttpHeaders, request } from 'node:http';
import WebSocket from 'ws';

export interface WebAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Visits names of sessions at the console's port; keeps cookies for each name. */
export class WebBrowser {
  readonly #port: number;
  readonly #cookies = new Map<string, string>();

  constructor(port: number) {
    this.#port = port;
  }

  cookieOf(address: string): string {
    return this.#cookies.get(new URL(address).host) ?? '';
  }

  get(address: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<WebAnswer> {
    const { host, pathname, search } = new URL(address);
    const cookie = [this.#cookies.get(host), headers.cookie].filter(Boolean).join('; ');
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          path: pathname + search,
          method,
          headers: { accept: 'text/html', ...headers, host, ...(cookie ? { cookie } : {}) },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.once('error', reject);
          answer.once('end', () => {
            for (const one of answer.headers['set-cookie'] ?? []) this.#keep(host, one);
            const text = Buffer.concat(chunks).toString('latin1');
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
          });
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  #keep(host: string, cookie: string): void {
    const [pair = ''] = cookie.split(';');
    if (pair.startsWith('yunxun-remote=')) this.#cookies.set(host, pair);
  }

  /** Follows a one-time address into the frame, and from there into the page. @returns both origins */
  async enter(address: string): Promise<{ frame: string; page: string }> {
    const entered = await this.get(address);
    const frame = new URL(address).origin;
    const shown = await this.get(frame + String(entered.headers.location));
    const source = /<iframe[^>]* src="([^"]+)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&');
    if (!source) throw new Error(`no frame: ${shown.status} ${shown.text}`);
    await this.get(source);
    return { frame, page: new URL(source).origin };
  }

  socket(address: string, headers: Record<string, string> = {}): WebSocket {
    const { host, pathname } = new URL(address);
    return new WebSocket(`ws://127.0.0.1:${this.#port}${pathname}`, {
      headers: { host, cookie: this.#cookies.get(host) ?? '', ...headers },
    });
  }
}
