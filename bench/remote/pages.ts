import { connect } from 'node:tls';
import { remoteTerminalPath } from '@yunxun/contract/remote-terminal';
import WebSocket from 'ws';
import { connectNats } from '../../packages/server/src/platform/bus/index.ts';
import { askDevice, type Measurement } from '../commands/ask.ts';
import { pause } from '../lib/stats.ts';
import { type Browsing, browse } from './browse.ts';

export interface Opened {
  id: string;
  token: string;
}

export interface Keys {
  id: string;
  echoPort: number;
  count: number;
  gap: number;
}

type Wanted =
  | { open: { url: string; sessions: Opened[] } }
  | { keys: Keys }
  | { commands: Measurement & { busUrl: string } }
  | { browse: Browsing }
  | 'count';

/** Milliseconds. */
const openWithin = 30_000;

const pages = new Map<string, WebSocket>();
let bytes = 0;
let ended = 0;

process.on('message', (wanted: Wanted) => {
  void answer(wanted).then((result) => process.send?.(result));
});

async function answer(wanted: Wanted): Promise<object> {
  if (wanted === 'count') return { bytes, ended };
  if ('open' in wanted) {
    const { url, sessions } = wanted.open;
    await Promise.all(sessions.map((session) => open(url, session)));
    return { open: pages.size };
  }
  if ('keys' in wanted) return press(wanted.keys);
  if ('browse' in wanted) return browse(wanted.browse);
  const { busUrl, ...measurement } = wanted.commands;
  const bus = await connectNats({ url: busUrl, failed: () => undefined });
  const times = await askDevice(bus, measurement).finally(() => bus.close());
  return { times };
}

/** Resolves with the first bytes of its terminal. */
function open(url: string, { id, token }: Opened): Promise<void> {
  const page = new WebSocket(`${url.replace('http', 'ws')}${remoteTerminalPath}?session=${id}`);
  pages.set(id, page);
  page.once('open', () => page.send(JSON.stringify({ token, cols: 80, rows: 24 })));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no terminal: ${id}`)), openWithin);
    page.on('error', reject);
    page.on('close', () => pages.delete(id));
    page.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        if (data.includes('"end"')) ended += 1;
        return;
      }
      bytes += data.length;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Each key goes through the session and, for comparison, over a TLS connection of its own. */
async function press({ id, echoPort, count, gap }: Keys): Promise<{ times: number[]; network: number[] }> {
  const page = pages.get(id);
  if (!page) throw new Error('the session has ended');
  const plain = connect({ host: '127.0.0.1', port: echoPort, rejectUnauthorized: false });
  await heard(plain, 'secureConnect');
  plain.setNoDelay();
  const [times, network]: [number[], number[]] = [[], []];
  const take = async (sent: typeof times, echo: Promise<void>, send: () => void) => {
    const began = performance.now();
    send();
    await echo;
    sent.push(performance.now() - began);
    await pause(gap);
  };
  for (let at = 0; at < count; at += 1) {
    await take(times, heard(page, 'message'), () => page.send(Buffer.from('x')));
    await take(network, heard(plain, 'data'), () => plain.write('x'));
  }
  plain.destroy();
  return { times, network };
}

/** Without the turns of the event loop that a promise of `once` takes. */
function heard(emitter: NodeJS.EventEmitter, event: string): Promise<void> {
  return new Promise((resolve) => emitter.once(event, () => resolve()));
}
