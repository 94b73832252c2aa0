import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyLayout } from '../measure/layout.ts';
import { readTool } from './request.ts';
import { isNeighbour, readThroughput, serveThroughput, testThroughput } from './throughput.ts';

const networks = [{ address: '100.64.0.1', peers: [{ address: '100.64.0.2' }] }];
const ends = { tool: 'throughput', own: '100.64.0.1', peer: '100.64.0.2', port: 20_100, seconds: 1 } as const;

let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-iperf-'));
  program = join(folder, 'iperf3');
  // listens like iperf3, then ends after its one test
  writeFileSync(program, '#!/bin/sh\necho "Server listening on $6"\nsleep 0.1\n');
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

function host(answer = { code: 0, stdout: '', stderr: '' }) {
  const ran: string[] = [];
  const run = async (argv: readonly string[]) => {
    ran.push(argv.join(' ').replace(program, 'iperf3'));
    return answer;
  };
  return { ran, deps: { networks, run, find: () => program } };
}

describe('a throughput test', () => {
  it('runs between the ends of a tunnel only', () => {
    expect(isNeighbour(ends, networks)).toBe(true);
    expect(isNeighbour({ own: '100.64.0.1', peer: '100.64.0.3' }, networks)).toBe(false);
    expect(isNeighbour({ own: '100.64.0.9', peer: '100.64.0.2' }, networks)).toBe(false);
  });

  it('opens its port to the peer alone, for a time, and closes it when the server has ended', async () => {
    const { ran, deps } = host();
    await serveThroughput({ ...ends, act: 'serve' }, deps);
    expect(ran).toEqual(['nft add element inet yunxun sdwan_tests { 100.64.0.2 . 100.64.0.1 . 20100 timeout 21s }']);
    await expect
      .poll(() => ran.at(-1))
      .toBe('nft delete element inet yunxun sdwan_tests { 100.64.0.2 . 100.64.0.1 . 20100 }');
  });

  it('is refused without iperf3, with strangers, and when the port cannot be opened', async () => {
    const { deps } = host();
    const serve = { ...ends, act: 'serve' } as const;
    await expect(serveThroughput(serve, { ...deps, find: () => null })).rejects.toThrow(/iperf3 is not installed/);
    await expect(serveThroughput({ ...serve, peer: '10.0.0.1' }, deps)).rejects.toThrow(/not the ends of a tunnel/);
    const closed = host({ code: 1, stdout: '', stderr: 'No such file or directory' });
    await expect(serveThroughput(serve, closed.deps)).rejects.toThrow(/the port was not opened/);
  });

  it('measures with the words of iperf3, and reads its figures', async () => {
    const sums = { sum_sent: { bits_per_second: 95e6, retransmits: 7 }, sum_received: { bits_per_second: 94.127e6 } };
    const { ran, deps } = host({ code: 0, stdout: JSON.stringify({ end: sums }), stderr: '' });
    const test = { ...ends, act: 'run', udp: false, reverse: true, mbps: 50 } as const;
    expect(await testThroughput(test, deps)).toEqual({
      mbps: 94.13,
      retransmits: 7,
      loss_pct: null,
      jitter_ms: null,
    });
    expect(ran).toEqual(['iperf3 -c 100.64.0.2 -B 100.64.0.1 -p 20100 -t 1 -J -R -b 50M']);
    const udp = { sum: { bits_per_second: 10e6, lost_percent: 1.234, jitter_ms: 0.5 } };
    expect(readThroughput(JSON.stringify({ end: udp }))).toMatchObject({ mbps: 10, loss_pct: 1.23, jitter_ms: 0.5 });
    expect(() => readThroughput('{"error": "unable to connect to server"}')).toThrow(/unable to connect/);
    expect(() => readThroughput('', 'killed')).toThrow(/killed/);
  });

  it('is read with the bounds of the box', () => {
    const known = { layout: emptyLayout, ports: {}, origins: [] };
    expect(readTool({ ...ends, act: 'run', seconds: 600, mbps: 1e9, udp: true }, known)).toEqual({
      ...ends,
      act: 'run',
      seconds: 10,
      mbps: 10_000,
      udp: true,
      reverse: false,
      device: null,
    });
    for (const wrong of [{ own: '-s' }, { peer: 'a.example' }, { port: 22 }, { act: 'shell' }, { udp: true }])
      expect(readTool({ ...ends, act: 'run', ...wrong }, known)).toHaveProperty('wrong');
  });
});
