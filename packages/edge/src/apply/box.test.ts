import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { BoxModel } from '../testing/box-model.ts';
import { foreignBox, plans } from '../testing/plans.ts';
import { Box, type BoxOptions, type Pending } from './box.ts';
import type { Lease } from './lines.ts';
import { Records, type Returned } from './records.ts';
import type { Executor, Step } from './step.ts';
import { StepFailed } from './step.ts';
import type { Verdict } from './verify.ts';

const start = Date.UTC(2026, 10, 21, 10);
const lease: Lease = { address: '192.0.2.50', prefix: 24, gateway: '192.0.2.1', nameServers: ['192.0.2.3'] };
const other: Lease = { ...lease, address: '203.0.113.50', gateway: '203.0.113.1' };
const line = (device: string, metric: number): Plan['lines'][number] => ({
  ...{ name: device, interface: 'up0v0', device, table: 200 + metric, fixed: null, metric },
  ...{ mark: { value: 0x400, mask: 0x3c00 }, rulePriority: 20_150 },
});
const routed: Plan = {
  ...emptyPlan,
  sysctls: [{ path: 'net/ipv4/ip_forward', value: '1', device: null, needed: true }],
  links: [{ kind: 'bridge', device: 'yx-a', mtu: null }],
  addresses: [{ device: 'yx-a', address: '10.1.0.1/24' }],
  dhcpClients: [{ device: 'eth0', hostName: null, resolv: null }],
  lines: [line('eth0', 10)],
  nft: 'table inet yunxun { routed }',
};

let folder: string;
let told: (Pending | Returned)[];
let model: BoxModel;
let answers: Verdict[];
/** What the kernel shows besides order. */
const kernel = () => ({ ...model.state, files: {}, addresses: model.state.addresses.toSorted() });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-box-'));
  model = new BoxModel(foreignBox);
  told = [];
  answers = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function boxOf(more: Partial<BoxOptions> = {}): Box {
  return new Box({
    records: new Records(folder, 'this boot'),
    executor: model,
    snapshot: async (plan) => model.snapshot(plan),
    run: '/run/yunxun-edge',
    lease: () => null,
    clock: new ManualClock(start),
    reach: async () => answers.shift() ?? { reached: true },
    pending: (pending) => told.push(pending),
    returned: (returned) => told.push(returned),
    log: () => {},
    ...more,
  });
}

async function startedBox(more: Partial<BoxOptions> = {}): Promise<Box> {
  const box = boxOf(more);
  await box.begin();
  return box;
}

/** As `startedBox`; `said` gets the commands to conntrack, which the model does not know. */
async function toldBox(): Promise<{ box: Box; said: string[] }> {
  const said: string[] = [];
  const perform = async (step: Step) => {
    if (step.do === 'run' && step.argv[0] === 'conntrack') said.push(step.argv.join(' '));
    else await model.perform(step);
  };
  return { box: await startedBox({ executor: { perform } }), said };
}

describe('a change', () => {
  it('stays when the console answered over it, and says beforehand until when it waits', async () => {
    const box = await startedBox();
    expect(await box.change(routed, 7, 60)).toEqual({ confirmed: true });
    expect(told).toEqual([{ uuid: 7, until: start / 1000 + 60 }]);
    expect(box.pending).toBeNull();
    expect(model.state.nft).toBe(routed.nft);
    expect(new Records(folder).applied).toMatchObject({ uuid: 7, plan: routed });
    expect(new Records(folder).journal).toBeNull();
  });

  it('goes when the console does not answer, and the box is as before', async () => {
    const box = await startedBox();
    const before = structuredClone(kernel());
    answers = [{ reached: false, detail: 'no answer' }];
    const outcome = await box.change(routed, 7, 30);
    expect(outcome).toEqual({ confirmed: false, reason: 'the console was not reached within 30 s (no answer)' });
    expect(kernel()).toEqual(before);
    expect(told.at(-1)).toEqual({ uuid: 7, reason: 'the console was not reached within 30 s (no answer)' });
    expect(new Records(folder).returned).toMatchObject({ uuid: 7 });
    expect(new Records(folder).journal).toBeNull();
  });

  it('goes at once when a step fails, with the words of the step', async () => {
    const failing: Executor = {
      async perform(step: Step) {
        if (step.do === 'run' && step.argv[0] === 'nft' && step.input === routed.nft)
          throw new StepFailed(step, 'syntax');
        return model.perform(step);
      },
    };
    const box = await startedBox({ executor: failing, reach: () => Promise.reject(new Error('not asked')) });
    const before = structuredClone(kernel());
    expect(await box.change(routed, 7, 30)).toEqual({ confirmed: false, reason: 'nft -f - <<<: syntax' });
    expect(kernel()).toEqual(before);
  });

  it('that changes nothing in the kernel is not tried', async () => {
    const box = await startedBox();
    await box.change(routed, 7, 30);
    expect(await box.change(structuredClone(routed), 8, 30)).toEqual({ confirmed: true });
    expect(told).toHaveLength(1);
    expect(new Records(folder).applied.uuid).toBe(8);
  });

  it('is not begun when it cannot be noted, and not kept when that cannot be written', async () => {
    class Full extends Records {
      full: 'begin' | 'settle' | null = null;
      override begin(journal: Parameters<Records['begin']>[0]): void {
        if (this.full === 'begin') throw new Error('ENOSPC');
        super.begin(journal);
      }
      override settle(applied: Parameters<Records['settle']>[0]): void {
        if (this.full === 'settle') throw new Error('ENOSPC');
        super.settle(applied);
      }
    }
    const records = new Full(folder, 'this boot');
    const box = await startedBox({ records });
    const before = structuredClone(kernel());
    for (const full of ['begin', 'settle'] as const) {
      records.full = full;
      expect(await box.change(routed, 7, 30)).toMatchObject({
        confirmed: false,
        reason: expect.stringContaining('ENOSPC'),
      });
      expect(kernel()).toEqual(before);
    }
    records.full = null;
    expect(await box.change(routed, 8, 30)).toEqual({ confirmed: true });
  });

  it('is taken back when the program is told to end', async () => {
    const box: Box = await startedBox({
      reach: (_within, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ reached: false, detail: 'stopped' }));
          void box.close();
        }),
    });
    const reason = 'the agent was told to end before the console was reached';
    expect(await box.change(routed, 7, 600)).toEqual({ confirmed: false, reason });
    expect(model.state.links['yx-a']).toBeUndefined();
  });
});

describe('a start after the program was killed', () => {
  it('returns to the plan before, whatever the step and whatever the plans', async () => {
    await fc.assert(
      fc.asyncProperty(plans, plans, fc.nat(50), fc.boolean(), async (a, b, after, cut) => {
        rmSync(folder, { recursive: true, force: true });
        const copy = `${folder}-copy`;
        model = new BoxModel(foreignBox);
        const box = await startedBox();
        await box.change(a, 5, 30);
        const settled = structuredClone({ ...kernel(), rules: model.state.rules.toSorted() });
        // dead from this step on: what the program would still do and write no longer counts
        let dead = false;
        const kill = () => {
          if (!dead) cpSync(folder, copy, { recursive: true });
          dead = true;
          throw new Error('killed');
        };
        let left = after;
        const dying = boxOf({
          executor: {
            async perform(step) {
              if (dead || left === 0) kill();
              left -= 1;
              return model.perform(step);
            },
          },
          reach: async () => kill(),
        });
        // its start makes what is there hold once more: that is not what dies
        left = Number.POSITIVE_INFINITY;
        await dying.begin();
        left = after;
        await dying.change(b, 6, 30).catch(() => {});
        if (!dead) return;
        rmSync(folder, { recursive: true });
        cpSync(copy, folder, { recursive: true });
        rmSync(copy, { recursive: true });
        // a power cut in the middle of writing leaves the file beside it, half
        if (cut) writeFileSync(join(folder, 'applied.json.new'), '{"pl');
        const again = boxOf();
        expect(await again.begin()).toMatchObject({ uuid: 6 });
        expect({ ...kernel(), rules: model.state.rules.toSorted() }).toEqual(settled);
        expect(again.plan).toEqual(a);
        expect(new Records(folder).journal).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it('makes the confirmed plan anew after a restart of the box, without a console', async () => {
    await (await startedBox()).change(routed, 7, 30);
    model = new BoxModel(foreignBox);
    const reach = () => Promise.reject(new Error('nobody is asked'));
    const box = boxOf({ records: new Records(folder, 'next boot'), reach });
    expect(await box.begin()).toBeNull();
    expect(model.state.addresses).toContain('yx-a 10.1.0.1/24');
    expect(model.state.settings['net/ipv4/ip_forward']).toBe('1');
  });

  it('after a restart of the box in the middle returns to the plan before, with nothing to undo', async () => {
    const box = await startedBox({ reach: () => new Promise(() => {}) });
    void box.change(routed, 7, 600);
    while (box.pending === null || model.state.nft !== routed.nft) await new Promise((turn) => setImmediate(turn));
    model = new BoxModel(foreignBox);
    const again = boxOf({ records: new Records(folder, 'next boot') });
    expect(await again.begin()).toMatchObject({ uuid: 7 });
    expect(kernel()).toEqual({ ...new BoxModel(foreignBox).state, addresses: foreignBox.addresses.toSorted() });
  });

  it('makes the plan hold also where nothing can be written', async () => {
    await (await startedBox()).change(routed, 7, 30);
    class Full extends Records {
      override settle(): void {
        throw new Error('ENOSPC');
      }
      override note(): void {
        throw new Error('ENOSPC');
      }
    }
    model = new BoxModel(foreignBox);
    const box = boxOf({ records: new Full(folder, 'next boot') });
    expect(await box.begin()).toBeNull();
    expect(model.state.addresses).toContain('yx-a 10.1.0.1/24');
  });

  it('killed right after a restart of the box does not take its own things for those of others', async () => {
    await (await startedBox()).change(routed, 7, 30);
    model = new BoxModel(foreignBox);
    let left = 3;
    const perform = async (step: Step) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return model.perform(step);
    };
    const killed = new Error('killed');
    const dying = boxOf({
      records: new Records(folder, 'next boot'),
      executor: { perform },
      log: () => {
        throw killed;
      },
    });
    await expect(dying.begin()).rejects.toBe(killed);
    const box = boxOf({ records: new Records(folder, 'next boot') });
    await box.begin();
    expect(await box.change({ ...routed, addresses: [], links: [] }, 8, 30)).toEqual({ confirmed: true });
    expect(model.state.links['yx-a']).toBeUndefined();
    expect(model.state.settings['net/ipv4/ip_forward']).toBe('1');
    await box.clear();
    expect(model.state.settings['net/ipv4/ip_forward']).toBe(foreignBox.settings['net/ipv4/ip_forward']);
  });

  it('reads a broken record as none', async () => {
    await startedBox();
    writeFileSync(join(folder, 'applied.json'), '{"plan":');
    expect((await startedBox()).plan).toEqual(emptyPlan);
    expect(readFileSync(join(folder, 'applied.json'), 'utf8')).toContain('"plan"');
  });
});

describe('forgetting everything', () => {
  it('while a change waits leaves nothing, and nothing comes back afterwards', async () => {
    const before = structuredClone(kernel());
    const box: Box = await startedBox({
      reach: (_within, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ reached: false, detail: 'stopped' }));
          if (box.plan.nft === 'second') void box.clear();
          else resolve({ reached: true });
        }),
    });
    await box.change({ ...routed, nft: 'first' }, 7, 30);
    expect(await box.change({ ...routed, nft: 'second' }, 8, 600)).toMatchObject({ confirmed: false });
    await box.clear();
    expect(kernel()).toEqual(before);
    expect(new Records(folder).applied.plan).toEqual(emptyPlan);
  });
});

describe('the configuration that runs, rendered anew', () => {
  it('is taken back when the console is away, and is not refused from then on', async () => {
    const box = await startedBox();
    await box.change(routed, 7, 30);
    told = [];
    answers = [{ reached: false, detail: 'no answer' }];
    const anew = { ...routed, nft: 'table inet yunxun { by a newer renderer }' };
    expect(await box.change(anew, 7, 30)).toMatchObject({ confirmed: false });
    expect(told).toEqual([expect.objectContaining({ uuid: 7, until: expect.anything() })]);
    expect(new Records(folder).returned).toBeNull();
    expect(model.state.nft).toBe(routed.nft);
  });
});

describe('lines', () => {
  const two: Plan = {
    ...routed,
    dhcpClients: [...routed.dhcpClients, { device: 'eth1', hostName: null, resolv: null }],
    lines: [line('eth0', 10), line('eth1', 20)],
  };

  it('get address, table, rule and default route with their lease, and a foreign default gives way only then', async () => {
    const box = await startedBox();
    await box.change(two, 7, 30);
    expect(model.state.routes['254 default 0']).toBe('192.0.2.1 eth0 dhcp');
    await box.line('eth0', { lease });
    expect(model.state.addresses).toContain('eth0 192.0.2.50/24');
    expect(model.state.routes).toMatchObject({
      '254 default 10': '192.0.2.1 eth0 201',
      '210 default 0': '192.0.2.1 eth0 201',
    });
    expect(model.state.routes).not.toHaveProperty('254 default 0');
    await box.line('eth0', { lease: null });
    expect(model.state.routes).not.toHaveProperty('254 default 10');
    expect(model.state.routes['254 default 0']).toBe('192.0.2.1 eth0 dhcp');
  });

  it('that are lost leave the main table, keep their own for the probes, and end their connections', async () => {
    const { box, said } = await toldBox();
    await box.change(two, 7, 30);
    await box.line('eth0', { lease });
    await box.line('eth1', { lease: other });
    await box.line('eth0', { alive: false });
    expect(model.state.routes).not.toHaveProperty('254 default 10');
    expect(model.state.routes['210 default 0']).toBe('192.0.2.1 eth0 201');
    expect(said).toEqual(['conntrack -D --mark 0x400/0x3c00']);
    await box.line('eth0', { alive: true });
    expect(model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(said).toHaveLength(1);
  });

  it('that are lost stay the way out while no other lives, and give way once one does', async () => {
    const { box, said } = await toldBox();
    await box.change(two, 7, 30);
    await box.line('eth0', { lease });
    await box.line('eth0', { alive: false });
    expect(model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(said).toEqual([]);
    await box.line('eth1', { alive: false });
    await box.line('eth1', { lease: other });
    expect(model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(said).toEqual([]);
    await box.line('eth1', { alive: true });
    expect(model.state.routes).not.toHaveProperty('254 default 10');
    expect(said).toHaveLength(1);
  });

  it('that get another address end the connections that were translated to the one before', async () => {
    const said: string[] = [];
    const perform = async (step: Step) => {
      if (step.do === 'run' && step.argv[0] === 'conntrack') said.push(step.argv.join(' '));
      else await model.perform(step);
    };
    const box = await startedBox({ executor: { perform } });
    await box.change(two, 7, 30);
    await box.line('eth0', { lease });
    await box.line('eth0', { lease: { ...lease, nameServers: [] } });
    expect(said).toEqual([]);
    await box.line('eth0', { lease: { ...lease, address: '192.0.2.51' } });
    expect(said).toEqual(['conntrack -D --mark 0x400/0x3c00']);
    const fixed = { address: '192.0.2.60', gateway: '192.0.2.1' };
    await box.change({ ...two, lines: two.lines.map((one) => ({ ...one, fixed })) }, 8, 30);
    const again = said.length;
    const other = { ...fixed, address: '192.0.2.61' };
    await box.change({ ...two, lines: two.lines.map((one) => ({ ...one, fixed: other })) }, 9, 30);
    expect(said.length).toBeGreaterThan(again);
  });

  it('do not wait for a count that does not end', async () => {
    const said: string[] = [];
    const perform = async (step: Step) => {
      if (step.do === 'run' && step.argv[0] === 'conntrack') said.push(step.argv.join(' '));
      else await model.perform(step);
    };
    const box = await startedBox({ executor: { perform }, losing: () => new Promise(() => {}) });
    await box.change(two, 7, 30);
    await box.line('eth0', { lease });
    await box.line('eth1', { lease: other });
    await box.line('eth0', { alive: false });
    expect(said).toHaveLength(1);
  });

  it('that were lost are lost still after a start of the program', async () => {
    const leases: Record<string, Lease> = { eth0: lease, eth1: other };
    const box = await startedBox();
    await box.change(two, 7, 30);
    for (const [device, known] of Object.entries(leases)) await box.line(device, { lease: known });
    await box.line('eth0', { alive: false });
    const again = (ways: string[]) =>
      startedBox({ lease: (device) => leases[device] ?? null, ways: async () => new Set(ways) });
    expect((await again(['eth1'])).lines.eth0?.alive).toBe(false);
    expect(model.state.routes).not.toHaveProperty('254 default 10');
    // nothing leads out: nobody knows better
    expect((await again([])).lines.eth0?.alive).toBe(true);
  });

  it('keep their lease over a start of the program', async () => {
    await (await startedBox()).change(two, 7, 30);
    await startedBox({ lease: (device) => (device === 'eth0' ? lease : null) });
    expect(model.state.addresses).toContain('eth0 192.0.2.50/24');
  });
});
