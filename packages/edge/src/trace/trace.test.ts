import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { emptyLayout, type Layout } from '../measure/layout.ts';
import { trace } from './index.ts';
import { readTrace, traceLimits } from './request.ts';

const layout: Layout = {
  ...emptyLayout,
  interfaces: [
    { name: 'up0v0', location: '/interfaces/0', role: 'upstream', device: 'eth0', ports: [] },
    { name: 'down1v0', location: '/interfaces/1', role: 'downstream', device: 'yx-lan', ports: [] },
  ],
};
const known = { layout, ports: { LAN2: 'eth7' }, origins: ['https://console.example'] };
const uri = 'https://console.example/v1/upload/1';

describe('what is asked for', () => {
  it('is kept within the bounds of the box', () => {
    expect(readTrace({ uri, network: 'up', duration: 9e9, filter: ' tcp port 80 ', snaplen: 128 }, known)).toEqual({
      uri,
      device: 'eth0',
      seconds: traceLimits.seconds,
      packets: traceLimits.packets,
      snaplen: 128,
      filter: 'tcp port 80',
    });
    expect(readTrace({ uri, interface: 'LAN2', packets: 5 }, known)).toMatchObject({ device: 'eth7', packets: 5 });
    expect(readTrace({ uri, interface: 'down1v0' }, known)).toMatchObject({ device: 'yx-lan', seconds: 30 });
  });

  it('goes to the console only, and captures where the box has something', () => {
    const odd = [
      'https://console.example.evil/x',
      'file:///etc/passwd',
      'https://a@console.example/',
      'x',
      7,
      undefined,
    ];
    for (const other of odd) expect(readTrace({ uri: other, network: 'up' }, known)).toHaveProperty('wrong');
    for (const place of ['docker0', '-w', 'any', '__proto__', 'constructor'])
      expect(readTrace({ uri, interface: place }, known), place).toHaveProperty('wrong');
    expect(readTrace({ uri, network: 'sideways' }, known)).toHaveProperty('wrong');
    expect(readTrace({ uri, network: 'up', filter: 'tcp\u0007' }, known)).toHaveProperty('wrong');
  });

  it('is read without throwing, whatever it is', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (params) => void readTrace(params, known)));
  });
});

describe('a capture', () => {
  let folder: string;
  let server: Server;
  let taken: Buffer[];
  let origin: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yunxun-trace-'));
    taken = [];
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        taken.push(Buffer.concat(parts));
        response.end();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const make = (params: Record<string, unknown>) =>
    trace(
      { uri: `${origin}/v1/upload/7`, interface: 'lo', ...params },
      { serial: '02aabbccddee', clock: systemClock, layout, ports: { lo: 'lo' }, folder, origins: [origin], ca: [] },
    );

  it('that cannot be made is said in a word, whether tcpdump is there or not, and leaves no file', async () => {
    const answer = await make({ filter: '-w /tmp/x ; reboot', packets: 1, duration: 1 });
    expect(answer.error).toBe(1);
    expect(answer.text).not.toBe('');
    expect(readdirSync(folder)).toEqual([]);
    expect(taken).toEqual([]);
  });
});
