import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan } from '../render/index.ts';
import { type Captive, type CaptiveOptions, createCaptive } from './index.ts';
import { guest, planOf } from './testing/captive-plan.ts';

describe('grants', () => {
  let folder: string;
  let clock: ManualClock;
  let kernel: Map<string, number | null>;
  let cut: string[];
  let inputs: string[] = [];
  let plan: Plan;
  let captive: Captive;
  let broken: boolean;
  let rates: string[];
  let away: boolean;
  const bytes = { rx: 100, tx: 1000 };

  /** Keeps the time of present elements, like the kernel. */
  async function nft(argv: readonly string[], { input = '' } = {}) {
    const answer = { code: 0, stdout: '', stderr: '' };
    if (input !== '') inputs.push(input);
    if (broken) return { ...answer, code: 1, stderr: 'no table' };
    if (argv.includes('netdev')) {
      const isThere = rates.length > 0 && !rates.at(-1)!.endsWith('delete table netdev yunxun_captive\n');
      // other limits than wanted, so that they are laid anew
      if (isThere) return { ...answer, stdout: JSON.stringify({ nftables: [{ chain: { name: 'up_9' } }] }) };
      return { ...answer, code: 1, stderr: 'No such file' };
    }
    if (input.includes('netdev')) {
      rates.push(input);
      return answer;
    }
    if (input.includes(' away ')) away = input.endsWith(' away { ipv4 timeout 90s, ipv6 timeout 90s }\n');
    if (argv.includes('list')) {
      const elem = [...kernel].map(([mac, time]) => (time === null ? mac : { elem: { val: mac, expires: time } }));
      return { ...answer, stdout: JSON.stringify({ nftables: [{ set: { name: 'guests', elem } }] }) };
    }
    for (const line of input.split('\n').filter(Boolean)) {
      const [, verb, inside = ''] = /^(add|delete) element inet yunxun_captive guests \{ (.*) \}$/.exec(line) ?? [];
      for (const one of inside.split(', ')) {
        const [mac = '', , time] = one.split(' ');
        if (verb === 'delete' && !kernel.delete(mac)) return { ...answer, code: 1, stderr: 'No such file' };
        if (verb === 'add' && !kernel.has(mac)) kernel.set(mac, time === undefined ? null : Number.parseInt(time, 10));
      }
    }
    return answer;
  }

  const start = (run: CaptiveOptions['run'] = nft) =>
    createCaptive({
      clock,
      stateFolder: folder,
      run,
      port: 0,
      relayPort: 0,
      log: () => {},
      limitsRates: true,
      host: {
        get plan() {
          return plan;
        },
      },
      bytesOf: () => bytes,
      async disconnect(macs) {
        cut.push(...macs);
      },
    });
  const grant = (ticket: string, seconds: number | null, mac = guest) =>
    captive.command({ tool: 'captive', op: 'grant', ticket, mac, seconds });
  const revoke = (ticket: string) => captive.command({ tool: 'captive', op: 'revoke', ticket, mac: guest });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yunxun-captive-'));
    clock = new ManualClock(Date.UTC(2026, 10, 25));
    kernel = new Map();
    cut = [];
    inputs = [];
    plan = planOf();
    broken = false;
    rates = [];
    away = false;
    captive = start();
    await captive.settled();
  });
  afterEach(() => {
    captive.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('let a client in for its time, and a later one sets it anew', async () => {
    expect(await grant('ticket-one', 600)).toMatchObject({ error: 0 });
    expect(kernel.get(guest)).toBe(600);
    await grant('ticket-two', 60);
    expect(kernel.get(guest)).toBe(60);
    const until = Math.floor(clock.now() / 1000) + 60;
    expect(captive.state()).toEqual({
      guests: [{ ticket: 'ticket-two', mac: guest, until, rx_bytes: 0, tx_bytes: 0 }],
    });
  });

  it('count bytes from the grant on', async () => {
    await grant('ticket-one', null);
    Object.assign(bytes, { rx: 150, tx: 3000 });
    expect(captive.state()?.guests).toMatchObject([{ rx_bytes: 50, tx_bytes: 2000 }]);
  });

  it('end with a revocation of the same ticket, and with their connections', async () => {
    await grant('ticket-one', null);
    await revoke('ticket-old');
    expect(kernel.has(guest)).toBe(true);
    await revoke('ticket-one');
    // the portal's answer to a guest who signs out is on its way
    expect([kernel.has(guest), cut, captive.state()?.guests]).toEqual([false, [], []]);
    clock.advance(2000);
    await expect.poll(() => cut).toEqual([guest]);
  });

  it('keep the connections of a client that is let in again at once', async () => {
    await grant('ticket-one', null);
    await revoke('ticket-one');
    await grant('ticket-two', null);
    clock.advance(2000);
    await revoke('ticket-none');
    expect(cut).toEqual([]);
  });

  it('end with their time, and with their connections', async () => {
    await grant('ticket-one', 60);
    clock.advance(61_000);
    await expect.poll(() => cut).toEqual([guest]);
    expect(kernel.has(guest)).toBe(false);
  });

  it('survive a restart of the agent and of the host, with the time that is left', async () => {
    await grant('ticket-one', 600);
    await grant('ticket-two', 30, '02:00:00:00:00:02');
    captive.stop();
    // a reboot empties the kernel's set
    kernel.clear();
    clock.advance(100_000);
    captive = start();
    await captive.settled();
    expect([...kernel]).toEqual([[guest, 500]]);
  });

  it('are in the sets of both tables, where frames between ports are filtered too', async () => {
    await grant('ticket-one', 600);
    plan = { ...plan, captive: { ...plan.captive!, bridges: true } };
    const sets: Record<string, string[]> = { inet: [guest, '02:00:00:00:00:66'], bridge: [] };
    const inputs: string[] = [];
    captive.stop();
    captive = start(async (argv, { input = '' } = {}) => {
      inputs.push(input);
      const elem = sets[argv[4] ?? ''] ?? [];
      const stdout = argv.includes('list') ? JSON.stringify({ nftables: [{ set: { name: 'guests', elem } }] }) : '';
      return { code: 0, stdout, stderr: '' };
    });
    await captive.look();
    for (const family of ['inet', 'bridge']) {
      expect(inputs.join('')).toContain(`add element ${family} yunxun_captive guests { ${guest} timeout 600s }`);
      expect(inputs.join('')).toContain(`delete element ${family} yunxun_captive guests { 02:00:00:00:00:66 }`);
    }
  });

  it('are given again to a table that was deleted', async () => {
    await grant('ticket-one', null);
    kernel.clear();
    kernel.set('02:00:00:00:00:66', null);
    await captive.look();
    expect([...kernel.keys()]).toEqual([guest]);
  });

  it('carry rates, which an extension and a later grant replace', async () => {
    const limited = { tool: 'captive', op: 'grant', ticket: 'ticket-one', mac: guest, seconds: 60 };
    await captive.command({ ...limited, up_kbps: 1000, down_kbps: 2000 });
    expect(rates.at(-1)).toContain('up_020000000001 { rate over 125000 bytes/second');
    expect(rates.at(-1)).toContain('down_020000000001 { rate over 250000 bytes/second');
    await captive.command({ ...limited, up_kbps: 8, down_kbps: 0 });
    expect(rates.at(-1)).toMatch(/delete limit .* down_020000000001\n.*up_020000000001 \{ rate over 1000 bytes/s);
    await revoke('ticket-one');
    expect(rates.at(-1)).toBe('table netdev yunxun_captive\ndelete table netdev yunxun_captive\n');
    expect(await captive.command({ ...limited, up_kbps: -1, down_kbps: 0 })).toMatchObject({ error: 2 });
  });

  it('go on counting when the same ticket is granted anew', async () => {
    Object.assign(bytes, { rx: 100, tx: 1000 });
    await grant('ticket-one', 60);
    Object.assign(bytes, { rx: 150, tx: 3000 });
    await grant('ticket-one', 600);
    expect(captive.state()?.guests).toMatchObject([{ rx_bytes: 50, tx_bytes: 2000 }]);
  });

  it('end by a revocation after the networks are captive no more', async () => {
    await grant('ticket-one', null);
    plan = emptyPlan;
    await captive.settled();
    expect(await revoke('ticket-one')).toMatchObject({ error: 0 });
    plan = planOf();
    kernel.clear();
    await captive.settled();
    expect(kernel.size).toBe(0);
  });

  it('are not needed while the console is away, in the opening hours, if the template says so', async () => {
    captive.console(true);
    // Wednesday 08:00 in Shanghai
    plan = planOf({ away: { zone: 'Asia/Shanghai', hours: [{ days: [3], from: '07:00', to: '08:05' }] } });
    await captive.settled();
    captive.console(false);
    clock.advance(59_000);
    await captive.look();
    expect(away).toBe(false);
    clock.advance(2000);
    await captive.look();
    expect(away).toBe(true);
    captive.console(true);
    await expect.poll(() => away).toBe(false);
    captive.console(false);
    clock.advance(300_000);
    await captive.look();
    expect(away).toBe(false);
    plan = planOf();
    await captive.settled();
    clock.advance(120_000);
    await captive.look();
    expect(away).toBe(false);
  });

  it('are not noted if the kernel refuses', async () => {
    broken = true;
    expect(await grant('ticket-one', 60)).toMatchObject({ error: 1 });
    expect(captive.state()?.guests).toEqual([]);
  });

  it('are refused for what is not a unicast MAC address, and without captive networks', async () => {
    for (const mac of ['ff:ff:ff:ff:ff:ff', '00:00:00:00:00:00', 'x', '01:00:5e:00:00:01'])
      expect(await grant('ticket-one', 60, mac)).toMatchObject({ error: 2 });
    expect(await captive.command({ tool: 'captive', op: 'grant', ticket: 'x y', mac: guest })).toMatchObject({
      error: 2,
    });
    plan = emptyPlan;
    expect(await grant('ticket-one', 60)).toMatchObject({ error: 1 });
    expect(captive.state()).toBeNull();
  });

  it('leave payment hosts open for a pass, which is no grant', async () => {
    const pass = (seconds: unknown, mac: unknown = guest) =>
      captive.command({ tool: 'captive', op: 'pass', mac, seconds });
    expect(await pass(600)).toMatchObject({ error: 1 });
    plan = planOf({ pay: ['pay.example.com'] });
    await captive.settled();
    expect(await pass(600)).toMatchObject({ error: 0 });
    expect(inputs.at(-1)).toBe(
      ['add', 'delete', 'add']
        .map(
          (verb, at) => `${verb} element inet yunxun_captive payers { ${guest}${at === 2 ? ' timeout 600s' : ''} }\n`,
        )
        .join(''),
    );
    expect([kernel.size, captive.state()?.guests]).toEqual([0, []]);
    for (const wrong of [901, 0, 1.5, '60']) expect(await pass(wrong)).toMatchObject({ error: 2 });
    expect(await pass(60, 'ff:ff:ff:ff:ff:ff')).toMatchObject({ error: 2 });
  });
});
