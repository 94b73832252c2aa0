import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changes } from '../apply/changes.ts';
import { nothingOwned } from '../apply/ownership.ts';
import { readDocument } from '../document/index.ts';
import { fullFacts, smallDocument } from '../document/testing/documents.ts';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, render } from '../render/index.ts';
import { settled } from '../testing/index.ts';
import { createPort53, type Port53Options } from './index.ts';
import { readSockets } from './sockets.ts';
import { listeners } from './take.ts';

/** /proc/net: udp on every address, systemd-resolved's stub, a LAN address. */
const udp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  101: 00000000:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 5001 2 0 0
  102: 3500007F:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000   991        0 5002 2 0 0
  103: 0101A8C0:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 5003 2 0 0
`;
const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:0035 0A000001:0035 01 00000000:00000000 00:00000000 00000000     0        0 5009 1 0 20 4 30 10 -1
   1: 00000000:0035 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 5004 1 0 100 0 0 10 0
`;

let folder: string;
let proc: string;
let record: string;
let ran: string[];
let failing: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-port53-'));
  [proc, record] = [join(folder, 'proc'), join(folder, 'record.json')];
  [ran, failing] = [[], ''];
  mkdirSync(join(proc, 'net'), { recursive: true });
  writeFileSync(join(proc, 'net/udp'), udp);
  writeFileSync(join(proc, 'net/tcp'), tcp);
  process('812', 'dnsmasq', '0::/system.slice/dnsmasq.service', ['5001', '5004']);
});
afterEach(() => rmSync(folder, { recursive: true }));

function process(pid: string, comm: string, cgroup: string, inodes: readonly string[]): void {
  mkdirSync(join(proc, pid, 'fd'), { recursive: true });
  writeFileSync(join(proc, pid, 'comm'), `${comm}\n`);
  writeFileSync(join(proc, pid, 'cgroup'), `${cgroup}\n`);
  for (const [fd, inode] of inodes.entries()) symlinkSync(`socket:[${inode}]`, join(proc, pid, 'fd', String(fd)));
}

const run = async (argv: readonly string[]) => {
  ran.push(argv.join(' '));
  if (failing !== '' && argv.includes(failing)) return { code: 1, stdout: '', stderr: 'a job failed\n' };
  // as systemctl would
  if (argv.includes('--now') && argv.includes('disable'))
    for (const table of ['udp', 'tcp']) writeFileSync(join(proc, 'net', table), '');
  return { code: 0, stdout: argv.includes('is-enabled') ? 'enabled\n' : '', stderr: '' };
};
const port53 = (more: Partial<Port53Options> = {}) =>
  createPort53({
    clock: new ManualClock(0),
    run: folder,
    isRoot: true,
    root: { record, proc, run },
    sockets: () => readSockets(proc),
    log: () => {},
    ...more,
  });

describe('port 53', () => {
  it('names the service that answers on every address, and no other', () => {
    expect(listeners({ proc })).toEqual([
      { protocol: 'udp', address: '0.0.0.0', process: 'dnsmasq', service: 'dnsmasq.service' },
      { protocol: 'tcp', address: '0.0.0.0', process: 'dnsmasq', service: 'dnsmasq.service' },
    ]);
  });

  it('is taken from that service, which starts again when it is given back, also by a later agent', async () => {
    await port53().perform('take');
    expect(ran).toEqual(['systemctl is-enabled dnsmasq.service', 'systemctl disable --now dnsmasq.service']);
    expect(JSON.parse(readFileSync(record, 'utf8'))).toEqual([{ service: 'dnsmasq.service', enabled: true }]);
    ran = [];
    await port53().perform('give');
    await port53().perform('give');
    expect(ran).toEqual(['systemctl enable --now dnsmasq.service']);
  });

  it('is given back as it was before an attempt that failed, and again after a start that failed', async () => {
    writeFileSync(record, JSON.stringify([{ service: 'dnsmasq.service', enabled: true }]));
    failing = 'is-enabled';
    await port53().perform('take');
    failing = 'enable';
    await expect(port53().perform('give')).rejects.toThrow('dnsmasq.service cannot be started: a job failed');
    [ran, failing] = [[], ''];
    await port53().perform('give');
    expect(ran).toEqual(['systemctl enable --now dnsmasq.service']);
    expect(existsSync(record)).toBe(false);
  });

  it('is given back at a start whose configuration does not take it', async () => {
    await port53().perform('take');
    ran = [];
    await port53().settle(true);
    expect(ran).toEqual([]);
    await port53().settle(false);
    await port53().settle(false);
    expect(ran).toEqual(['systemctl enable --now dnsmasq.service']);
  });

  it('is not said to be in use by a service that was given it back and ended before the next look', async () => {
    const agent = port53();
    await agent.perform('take');
    writeFileSync(join(proc, 'net/udp'), udp);
    await agent.perform('give');
    expect(agent.state()).toMatchObject([{ service: 'dnsmasq.service' }]);
    writeFileSync(join(proc, 'net/udp'), '');
    await agent.look();
    expect(agent.state()).toEqual([]);
  });

  it('that another has is an obstacle, unless its service may be stopped', async () => {
    let changes = 0;
    const agent = port53({ changed: () => (changes += 1) });
    const text = 'dnsmasq listens on 0.0.0.0, port 53';
    expect(await agent.obstacle(false)).toEqual({ code: 'in_use', text });
    expect(await agent.obstacle(true)).toBeNull();
    expect(changes).toBe(1);
    rmSync(join(proc, '812'), { recursive: true });
    expect(await port53().obstacle(true)).toMatchObject({ code: 'no_service' });
    for (const table of ['udp', 'tcp']) writeFileSync(join(proc, 'net', table), '');
    expect(await agent.obstacle(false)).toBeNull();
    expect(changes).toBe(2);
    await agent.perform('take');
    expect(ran).toEqual([]);
  });

  it('is not taken from a process that belongs to no service', async () => {
    rmSync(join(proc, '812'), { recursive: true });
    process('900', 'named', '0::/user.slice/user-0.slice/session-1.scope', ['5001', '5004']);
    await expect(port53().perform('take')).rejects.toThrow('named on port 53 belongs to no service');
    expect(ran).toEqual([]);
  });

  it('is asked for by an agent without root, which says so when nothing answers', async () => {
    const clock = new ManualClock(0);
    const [answers, request] = [join(folder, 'answer.json'), join(folder, 'port53')];
    const agent = port53({ clock, isRoot: false, answers });
    const taken = agent.perform('take');
    await expect.poll(() => existsSync(request)).toBe(true);
    const asked = readFileSync(request, 'utf8');
    const [id, op] = asked.trim().split(' ');
    expect(op).toBe('take');
    // systemd may miss a request
    rmSync(request);
    await settled(() => {
      if (!existsSync(request)) clock.advance(200);
      return existsSync(request);
    });
    expect(readFileSync(request, 'utf8')).toBe(asked);
    writeFileSync(answers, JSON.stringify({ id, error: null, listeners: [] }));
    clock.advance(200);
    await taken;
    const unanswered = agent.perform('give').catch((error: Error) => error.message);
    let over = false;
    void unanswered.finally(() => (over = true));
    await settled(() => {
      clock.advance(200);
      return over;
    });
    expect(await unanswered).toBe('no answer from yunxun-edge-port53.service');
  });
});

describe('a configuration that may take port 53', () => {
  const planOf = (takes: boolean) => {
    const read = readDocument({ ...smallDocument(), 'third-party': { yunxun: { take_port53: takes } } }, fullFacts);
    if ('refused' in read) throw new Error(read.refused.join('\n'));
    return render(read.document, fullFacts);
  };
  const stepsOf = (before: typeof emptyPlan, after: typeof emptyPlan) =>
    changes(before, after, nothingOwned, '/run/yunxun-edge').flatMap((step) => {
      if (step.do === 'port53') return [step.op];
      return step.do === 'start' || step.do === 'stop' ? [step.do] : [];
    });

  it('takes it before its dnsmasq starts, keeps it over changes, and gives it back at removal', () => {
    const plan = planOf(true);
    expect(stepsOf(emptyPlan, plan).slice(0, 2)).toEqual(['take', 'start']);
    const changed = { ...plan, dnsmasq: { ...plan.dnsmasq!, config: 'other' } };
    expect(stepsOf(plan, changed)).not.toContain('give');
    expect(stepsOf(plan, emptyPlan)).toEqual(expect.arrayContaining(['stop', 'give']));
    expect(stepsOf(emptyPlan, planOf(false))).not.toContain('take');
  });
});
