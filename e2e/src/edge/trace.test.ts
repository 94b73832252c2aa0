import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../packages/edge/src/clock.ts';
import { emptyLayout } from '../../../packages/edge/src/measure/index.ts';
import { capture } from '../../../packages/edge/src/trace/capture.ts';
import { trace } from '../../../packages/edge/src/trace/index.ts';

it('brings a capture to the console, with its first packets and no more, and ends at a whole packet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yunxun-trace-'));
  const taken: { url: string; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      taken.push({ url: request.url!, body: Buffer.concat(parts) });
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  let over = false;
  const chatter = (async () => {
    while (!over) await fetch(`${origin}/chatter`, { method: 'POST', body: 'x'.repeat(1000) });
  })();
  try {
    const options = {
      serial: '02aabbccddee',
      clock: systemClock,
      layout: emptyLayout,
      folder,
      origins: [origin],
      ca: [],
    };
    const params = { uri: `${origin}/v1/upload/7`, interface: 'lo', packets: 6, filter: `tcp port ${port}` };
    const answer = await trace(params, { ...options, ports: { lo: 'lo' } });
    expect(answer).toEqual({ error: 0, text: expect.stringMatching(/^6 packets, \d+ bytes$/) });
    const { body } = taken.find(({ url }) => url === '/v1/upload/7')!;
    expect(body.toString('latin1')).toContain('name="name"\r\n\r\n02aabbccddee\r\n');
    expect(body.indexOf(Buffer.from([0xd4, 0xc3, 0xb2, 0xa1]))).toBeGreaterThan(0);

    const file = join(folder, 'small.pcap');
    const wanted = { device: 'lo', seconds: 60, packets: 1000, snaplen: 65_535, filter: `tcp port ${port}` };
    const small = await capture(wanted, file, systemClock, 3000);
    expect(small).toMatchObject({ cut: true });
    expect('bytes' in small && small.bytes).toBe(statSync(file).size);
    expect(statSync(file).size).toBeLessThanOrEqual(3000);
  } finally {
    over = true;
    await chatter;
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
