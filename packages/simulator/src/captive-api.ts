import { request } from 'node:https';
import { connect, isIP } from 'node:net';
import { connect as secure } from 'node:tls';
import { asRecord } from '@yunxun/contract/device';

export interface CaptiveApi {
  url: string;
  line: string;
}

const maxAnswer = 16_384;

/** Asks as a phone with DHCP option 114 (RFC 8908). Null: the phone falls back to its probe. */
export function askCaptiveApi({ url, line }: CaptiveApi, signal: AbortSignal, ca?: string): Promise<string | null> {
  return new Promise((resolve) => {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port) || 443, signal });
    const done = (page: string | null) => {
      resolve(page);
      socket.destroy();
    };
    socket.on('error', () => done(null));
    socket.on('close', () => done(null));
    socket.write(line);
    const asked = request(url, {
      headers: { accept: 'application/captive+json', connection: 'close' },
      signal,
      createConnection: () =>
        secure({ socket, host, ...(isIP(host) ? {} : { servername: host }), ...(ca === undefined ? {} : { ca }) }),
    });
    asked.on('error', () => done(null));
    asked.on('response', (answer) => {
      let text = '';
      answer.on('error', () => done(null));
      answer.on('data', (part: Buffer) => {
        text += part.toString();
        if (text.length > maxAnswer) done(null);
      });
      answer.on('end', () => done(answer.statusCode === 200 ? pageIn(text) : null));
    });
    asked.end();
  });
}

function pageIn(text: string): string | null {
  try {
    const { captive, 'user-portal-url': page } = asRecord<Record<string, unknown>>(JSON.parse(text));
    return captive === true && typeof page === 'string' && URL.canParse(page) ? page : null;
  } catch {
    return null;
  }
}
