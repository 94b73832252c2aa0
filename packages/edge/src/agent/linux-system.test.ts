import { describe, expect, it } from 'vitest';
import type { Outcome } from '../apply/host-options.ts';
import type { Returned } from '../apply/records.ts';
import { fullFacts, smallDocument } from '../document/testing/documents.ts';
import type { Obstacle } from '../port53/index.ts';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { LinuxSystem, type LinuxSystemOptions } from './linux-system.ts';
import { agentFirmwareName } from './version.ts';

function systemOf(
  more: Partial<LinuxSystemOptions> & {
    outcome?: Outcome;
    known?: Returned;
    runs?: number;
    collides?: true;
    obstacle?: Obstacle;
  } = {},
) {
  const asked: { plan: Plan; uuid: number; confirm: number }[] = [];
  const reported: string[] = [];
  const layouts: unknown[] = [];
  const host = {
    plan: emptyPlan,
    collisions: more.collides ? [{ line: 'up0v0', lan: 'down1v0', subnet: '192.168.1.0/24' }] : [],
    change: async (plan: Plan, uuid: number, confirm: number) => {
      asked.push({ plan, uuid, confirm });
      return more.outcome ?? { confirmed: true };
    },
  };
  const lines = [{ interface: 'up0v0' }, { interface: 'up1v0' }];
  const options = {
    serial: '02fe3c9a0001',
    facts: fullFacts,
    missing: [],
    allowed: { reboot: false, scripts: false },
    host,
    records: { returned: more.known ?? null, applied: { uuid: more.runs ?? 0 } },
    measures: { state: () => ({ version: 1, yunxun: { connections: 3, lines } }), listen: () => {} },
    sdwan: null,
    shield: { state: () => null },
    captive: { state: () => null },
    plugins: { states: () => [], command: () => Promise.resolve({ error: 0, text: 'Success' }) },
    port53: { state: () => [], obstacle: async () => more.obstacle ?? null },
    remote: { ability: () => ({ shell: false, reason: 'login not on this box' }) },
    flow: {
      configured: (layout: unknown) => {
        layouts.push(layout);
        reported.push('flow');
      },
    },
    others: async () => [],
    settled: async () => void reported.push('settled'),
    moved: () => reported.push('moved'),
    quiet: () => false,
    restart: (cause: string) => reported.push(`restart ${cause}`),
    forget: async (keeps: boolean) => void reported.push(keeps ? 'forget the configuration' : 'forget'),
    ...more,
  } as unknown as LinuxSystemOptions;
  return { system: new LinuxSystem(options), asked, reported, layouts };
}

const document = { ...smallDocument(), uuid: 77 };

describe('a configuration', () => {
  it('becomes a plan that the box tries for as long as the document says', async () => {
    const { system, asked, reported } = systemOf();
    expect(await system.apply({ ...document, 'third-party': { yunxun: { confirm_s: 90 } } })).toEqual({
      error: 0,
      rejected: [],
    });
    expect(asked).toMatchObject([{ uuid: 77, confirm: 90, plan: { dnsmasq: expect.anything() } }]);
    expect(reported).toEqual(['settled', 'moved', 'flow']);
  });

  it('that others on the box may stop is applied, and said to be so', async () => {
    const others = ['[W] (In /) a firewall of others'];
    const { system } = systemOf({ others: async () => others });
    expect(await system.apply(document)).toEqual({ error: 1, rejected: others });
    const gone = systemOf({ others: async () => others, outcome: { confirmed: false, reason: 'no answer' } });
    expect(await gone.system.apply(document)).toEqual({ error: 2, rejected: ['[E] (In /) no answer'] });
  });

  it('that leaves a LAN without an address names that LAN', async () => {
    expect(await systemOf({ collides: true }).system.apply(document)).toMatchObject({
      error: 1,
      rejected: [expect.stringContaining('192.168.1.0/24')],
      withheld: ['down1v0'],
    });
  });

  it('that cannot serve DNS beside another server changes nothing, and names it', async () => {
    const text = 'dnsmasq listens on 0.0.0.0, port 53';
    const { system, asked } = systemOf({ obstacle: { code: 'in_use', text } });
    const refused = { error: 2, rejected: [`[E] (In /) ${text}`], port53: 'in_use' };
    expect(await system.apply(document)).toEqual(refused);
    expect(asked).toEqual([]);
  });

  it('that was rolled back is answered with the reason, and the measurements get the running one', async () => {
    const { system, reported } = systemOf({ outcome: { confirmed: false, reason: 'no answer' } });
    expect(await system.apply(document)).toEqual({ error: 2, rejected: ['[E] (In /) no answer'] });
    expect(reported).toEqual(['settled', 'moved']);
  });

  it('that was taken back once is not tried again', async () => {
    const { system, asked } = systemOf({ known: { uuid: 77, reason: 'no answer' } });
    expect(await system.apply(document)).toEqual({ error: 2, rejected: ['[E] (In /) no answer'] });
    expect(asked).toEqual([]);
    expect([system.returnedUuid(), systemOf().system.returnedUuid()]).toEqual([77, 0]);
  });

  it('that runs is not refused for a word of before, nor for a console that was away when it was rendered anew', async () => {
    const known = { uuid: 77, reason: 'an older agent noted it' };
    const noted = systemOf({ known, runs: 77 });
    expect(await noted.system.apply(document)).toEqual({ error: 0, rejected: [] });
    expect(noted.system.takeUntried()).toBe(false);
    const away = systemOf({ runs: 77, outcome: { confirmed: false, reason: 'no answer' } });
    expect(await away.system.apply(document)).toEqual({ error: 0, rejected: [] });
    expect(away.layouts).toEqual([emptyPlan.layout]);
    expect([away.system.takeUntried(), away.system.takeUntried()]).toEqual([true, false]);
  });

  it('that is wrong, or that the box has no tools for, does not touch the box', async () => {
    const { system, asked } = systemOf();
    expect(await system.apply({ ...document, interfaces: [] })).toMatchObject({
      error: 2,
      rejected: [expect.stringMatching(/^\[E\]/)],
    });
    const bare = systemOf({ missing: ['nft'] });
    expect(await bare.system.apply(document)).toEqual({ error: 2, rejected: ['[E] (In /) this gateway lacks nft'] });
    expect([...asked, ...bare.asked]).toEqual([]);
  });

  it('of a box that has none is nothing to do', async () => {
    const { system, asked } = systemOf();
    expect(await system.apply({ uuid: 1 })).toEqual({ error: 0, rejected: [] });
    expect(asked).toEqual([]);
  });
});

describe('what the box says', () => {
  it('is what is measured', () => {
    expect(systemOf().system.readState()).toMatchObject({ yunxun: { connections: 3 } });
  });

  it('is also which LAN the lease of a line collides with', () => {
    const lines = [{ interface: 'up0v0', collides: '192.168.1.0/24' }, { interface: 'up1v0' }];
    expect(systemOf({ collides: true }).system.readState().yunxun.lines).toEqual(lines);
  });

  it('is its version and its ports', () => {
    const { system } = systemOf();
    expect(system.firmware()).toBe(agentFirmwareName);
    expect(system.capabilities()).toMatchObject({
      platform: 'olg',
      network: { WAN1: [fullFacts.ports.WAN1] },
      yunxun: {
        allowed: { reboot: false, scripts: false },
        abilities: { vlan: true, remote: true },
        remote: { shell: false, reason: 'login not on this box' },
      },
    });
    const closed = systemOf({
      remote: { ability: () => null, command: async () => ({ error: 2, text: '' }) },
    }).system.capabilities();
    expect(closed.yunxun).toMatchObject({ abilities: { remote: false, snapshot: false } });
    expect(closed.yunxun).not.toHaveProperty('remote');
  });
});

describe('commands', () => {
  it('that its owner does not allow are refused with words', async () => {
    const { system } = systemOf();
    expect(system.mayRestart()).toMatchObject({ error: 2, text: expect.stringContaining('owner') });
    const script = { type: 'shell', body: 'echo hello', timeoutSeconds: 5 };
    expect(await system.runScript(script)).toMatchObject({ error: 1, result: expect.stringContaining('owner') });
    const open = systemOf({ allowed: { reboot: true, scripts: true } }).system;
    expect(open.mayRestart().error).toBe(0);
    expect(await open.runScript(script)).toEqual({ error: 0, result: 'hello\n' });
    expect((await open.runScript({ ...script, type: 'ucode' })).error).toBe(1);
  });

  it('that it cannot do are answered so', async () => {
    const { system } = systemOf();
    expect(system.leds()).toMatchObject({ error: 1 });
    expect(await system.scan()).toEqual([]);
    expect(system.packages({ op: 'install', names: ['x'] })).toEqual([{ name: 'x', result: null }]);
  });

  it('forgets everything, or all but its identity', () => {
    const { system, reported } = systemOf();
    system.factory(true);
    system.factory(false);
    expect(reported).toEqual(['forget the configuration', 'forget']);
  });
});
