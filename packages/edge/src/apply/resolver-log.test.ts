import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PlanDnsmasq } from '../render/plan.ts';
import { dnsmasqFile } from './entries.ts';
import { disableResolverLog, enableResolverLog } from './resolver-log.ts';

let run: string;
let dnsmasq: PlanDnsmasq;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'yunxun-resolver-'));
  const [leases, queries, pid] = ['leases', 'queries', 'dnsmasq.pid'].map((name) => join(run, name));
  dnsmasq = { config: '', leases: leases!, queries: queries!, pid: pid!, resolv: null };
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

it('discards the log while no reader is open, and writes a file again afterwards', () => {
  writeFileSync(dnsmasq.queries, 'who asked what\n');
  disableResolverLog(dnsmasq, run);
  expect(readlinkSync(dnsmasq.queries)).toBe('/dev/null');
  appendFileSync(dnsmasq.queries, 'x'.repeat(100_000));
  expect(lstatSync(dnsmasq.queries).size).toBeLessThan(100);
  enableResolverLog(dnsmasq, run);
  expect(existsSync(dnsmasq.queries)).toBe(false);
});

it('makes a running resolver open an empty file, whatever remained of the one before', async () => {
  const config = dnsmasqFile(run);
  const reported = join(run, 'told');
  const script = `trap 'echo told >>${reported}' USR2; echo up; while :; do sleep 0.05; done`;
  const daemon = spawn('sh', ['-c', script, config], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(daemon.stdout, 'data');
    writeFileSync(dnsmasq.pid, `${daemon.pid}\n`);
    writeFileSync(dnsmasq.queries, 'x'.repeat(100_000));
    enableResolverLog(dnsmasq, run);
    expect(statSync(dnsmasq.queries).size).toBe(0);
    await expect.poll(() => existsSync(reported)).toBe(true);
    disableResolverLog(dnsmasq, run);
    await expect.poll(() => readFileSync(reported, 'utf8')).toBe('told\ntold\n');
  } finally {
    daemon.kill('SIGKILL');
  }
});

it('a box without a resolver of ours, or without its folder, is left alone', () => {
  disableResolverLog(null, run);
  enableResolverLog(null, run);
  rmSync(run, { recursive: true });
  disableResolverLog(dnsmasq, run);
  enableResolverLog(dnsmasq, run);
  expect(existsSync(run)).toBe(false);
});
