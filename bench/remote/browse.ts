import { Agent, request } from 'node:http';
import { WebBrowser } from '../../packages/server/src/features/remote/testing/web-browser.ts';
import { inParallel } from '../lib/stats.ts';
import { filePath } from './site.ts';

export interface Browsing {
  /** Of the console, and of the device itself. */
  ports: { session: number; direct: number };
  /** Opens the session once. */
  address: string;
  count: number;
  /** For the rate. */
  together: number;
  width: number;
  downloads: number;
}

export interface Browsed {
  /** Milliseconds of single requests. */
  times: number[];
  perSecond: number;
  /** Bytes of a page. */
  page: number;
  /** MB/s of downloads. */
  downloads: number[];
}

interface Way {
  port: number;
  headers: Record<string, string>;
}

export async function browse({ ports, address, ...counts }: Browsing): Promise<Record<'direct' | 'session', Browsed>> {
  const browser = new WebBrowser(ports.session);
  const { page } = await browser.enter(address);
  const headers = { host: new URL(page).host, cookie: browser.cookieOf(page), accept: 'text/html' };
  const ways = { direct: { port: ports.direct, headers: {} }, session: { port: ports.session, headers } };
  return { direct: await measure(ways.direct, counts), session: await measure(ways.session, counts) };
}

async function measure(
  way: Way,
  { count, together, width, downloads }: Omit<Browsing, 'ports' | 'address'>,
): Promise<Browsed> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const times: number[] = [];
  let page = 0;
  const timed = async (path: string) => {
    const began = performance.now();
    const bytes = await load(way, path, agent);
    return { took: performance.now() - began, bytes };
  };
  await timed('/');
  for (let at = 0; at < count; at += 1) {
    const { took, bytes } = await timed('/');
    times.push(took);
    page = bytes;
  }
  const began = performance.now();
  await inParallel(Array.from({ length: together }), width, () => timed('/'));
  const perSecond = together / ((performance.now() - began) / 1000);
  const rates: number[] = [];
  for (let at = 0; at < downloads; at += 1) {
    const { took, bytes } = await timed(filePath);
    rates.push(bytes / 1000 / took);
  }
  agent.destroy();
  return { times, perSecond, page, downloads: rates };
}

function load({ port, headers }: Way, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`status ${answer.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}
