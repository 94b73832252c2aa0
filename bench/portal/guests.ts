import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { pause } from '../lib/stats.ts';

export interface Shown {
  status: number;
  text: string;
  to: string | null;
}

export function show(url: string, address: string, form?: URLSearchParams): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const body = form?.toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = request(
      url,
      {
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'accept-language': 'en',
          'x-forwarded-for': address,
          ...(body === undefined ? {} : { ...type, 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const { statusCode: status = 0, headers } = response;
          const to = headers.location === undefined ? null : new URL(headers.location, url).href;
          resolve({ status, text: Buffer.concat(chunks).toString(), to });
        });
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

export const anyAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Starts tasks at an even rate; times run from the planned start. */
export async function atRate(
  count: number,
  perSecond: number,
  task: (at: number) => Promise<void>,
): Promise<{ times: number[]; failed: string[] }> {
  const began = performance.now();
  const times: number[] = [];
  const failed: string[] = [];
  const all: Promise<void>[] = [];
  for (let at = 0; at < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
    for (; at < due; at += 1) {
      const planned = began + (at / perSecond) * 1000;
      all.push(
        task(at).then(
          () => void times.push(performance.now() - planned),
          (error: unknown) => void failed.push(String(error)),
        ),
      );
    }
    await pause(1);
  }
  await Promise.all(all);
  return { times, failed };
}

export async function signIn(redirect: string, address: string): Promise<void> {
  let page = await show(redirect, address);
  const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text)?.[1];
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1];
  const state = /name="state" value="([^"]*)"/.exec(page.text)?.[1];
  if (!style || !action || !state) throw new Error(`no sign-in page: ${page.status}`);
  await show(new URL(style, redirect).href, address);
  const form = new URLSearchParams({ state, lang: 'en', way: 'one_click' });
  page = await show(new URL(action, redirect).href, address, form);
  while (page.to !== null) page = await show(page.to, address);
  if (!page.text.includes('You are online')) throw new Error(`not online: ${page.status}`);
}
