import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyPlan } from '../render/plan.ts';
import { HostModel } from '../testing/host-model.ts';
import { HostRig, hostStart, routed } from '../testing/host-rig.ts';
import { foreignHost, plans } from '../testing/plans.ts';
import type { GatewayHost } from './gateway-host.ts';
import { Records } from './records.ts';
import type { Executor, Step } from './step.ts';
import { StepFailed } from './step.ts';

let rig: HostRig;
const kernel = () => ({ ...rig.model.state, files: {}, addresses: rig.model.state.addresses.toSorted() });

beforeEach(() => {
  rig = new HostRig();
});

afterEach(() => rig.stop());

describe('a change', () => {
  it('stays when the console answered over it, and says beforehand until when it waits', async () => {
    const host = await rig.started();
    expect(await host.change(routed, 7, 60)).toEqual({ confirmed: true });
    expect(rig.reported).toEqual([{ uuid: 7, until: hostStart / 1000 + 60 }]);
    expect(host.pending).toBeNull();
    expect(rig.model.state.nft).toBe(routed.nft);
    expect(new Records(rig.folder).applied).toMatchObject({ uuid: 7, plan: routed });
    expect(new Records(rig.folder).journal).toBeNull();
  });

  it('goes when the console does not answer, and the box is as before', async () => {
    const host = await rig.started();
    const before = structuredClone(kernel());
    rig.answers = [{ reached: false, detail: 'no answer' }];
    const outcome = await host.change(routed, 7, 30);
    expect(outcome).toEqual({ confirmed: false, reason: 'the console was not reached within 30 s (no answer)' });
    expect(kernel()).toEqual(before);
    expect(rig.reported.at(-1)).toEqual({ uuid: 7, reason: 'the console was not reached within 30 s (no answer)' });
    expect(new Records(rig.folder).returned).toMatchObject({ uuid: 7 });
    expect(new Records(rig.folder).journal).toBeNull();
  });

  it('goes at once when a step fails, with the words of the step', async () => {
    const failing: Executor = {
      async perform(step: Step) {
        if (step.do === 'run' && step.argv[0] === 'nft' && step.input === routed.nft)
          throw new StepFailed(step, 'syntax');
        return rig.model.perform(step);
      },
    };
    const host = await rig.started({ executor: failing, reach: () => Promise.reject(new Error('not asked')) });
    const before = structuredClone(kernel());
    expect(await host.change(routed, 7, 30)).toEqual({ confirmed: false, reason: 'nft -f - <<<: syntax' });
    expect(kernel()).toEqual(before);
  });

  it('that changes nothing in the kernel is not tried', async () => {
    const host = await rig.started();
    await host.change(routed, 7, 30);
    expect(await host.change(structuredClone(routed), 8, 30)).toEqual({ confirmed: true });
    expect(rig.reported).toHaveLength(1);
    expect(new Records(rig.folder).applied.uuid).toBe(8);
  });

  it('that is sent again repairs what the host lacks', async () => {
    const host = await rig.started();
    await host.change(routed, 7, 30);
    const whole = structuredClone(kernel());
    rig.model.state.nft = '';
    expect(await host.change(structuredClone(routed), 8, 30)).toEqual({ confirmed: true });
    expect(kernel()).toEqual(whole);
  });

  it('stays confirmed when a power cut comes before its journal is deleted', async () => {
    class Cut extends Records {
      #kept: Parameters<Records['begin']>[0] | null = null;
      override begin(journal: Parameters<Records['begin']>[0]): void {
        this.#kept = journal;
        super.begin(journal);
      }
      override settle(applied: Parameters<Records['settle']>[0]): void {
        super.settle(applied);
        if (this.#kept) super.begin(this.#kept);
      }
    }
    const host = await rig.started({ records: new Cut(rig.folder, 'this boot') });
    expect(await host.change(routed, 7, 60)).toEqual({ confirmed: true });
    rig.model = new HostModel(foreignHost);
    const again = rig.host({ records: new Records(rig.folder, 'next boot') });
    expect(await again.begin()).toBeNull();
    expect(rig.model.state.nft).toBe(routed.nft);
    expect(new Records(rig.folder).applied.uuid).toBe(7);
    expect(new Records(rig.folder).journal).toBeNull();
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
    const records = new Full(rig.folder, 'this boot');
    const host = await rig.started({ records });
    const before = structuredClone(kernel());
    for (const full of ['begin', 'settle'] as const) {
      records.full = full;
      expect(await host.change(routed, 7, 30)).toMatchObject({
        confirmed: false,
        reason: expect.stringContaining('ENOSPC'),
      });
      expect(kernel()).toEqual(before);
    }
    records.full = null;
    expect(await host.change(routed, 8, 30)).toEqual({ confirmed: true });
  });

  it('is rolled back when the program is stopped', async () => {
    const host: GatewayHost = await rig.started({
      reach: (_within, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ reached: false, detail: 'stopped' }));
          void host.close();
        }),
    });
    const reason = 'the agent was told to end before the console was reached';
    expect(await host.change(routed, 7, 600)).toEqual({ confirmed: false, reason });
    expect(rig.model.state.links['yx-a']).toBeUndefined();
  });
});

describe('a start after the program was killed', () => {
  it('returns to the plan before, whatever the step and whatever the plans', async () => {
    await fc.assert(
      fc.asyncProperty(plans, plans, fc.nat(50), fc.boolean(), async (a, b, after, cut) => {
        rmSync(rig.folder, { recursive: true, force: true });
        const copy = `${rig.folder}-copy`;
        rig.model = new HostModel(foreignHost);
        const host = await rig.started();
        await host.change(a, 5, 30);
        const settled = structuredClone({ ...kernel(), rules: rig.model.state.rules.toSorted() });
        let dead = false;
        const kill = () => {
          if (!dead) cpSync(rig.folder, copy, { recursive: true });
          dead = true;
          throw new Error('killed');
        };
        let left = after;
        const dying = rig.host({
          executor: {
            async perform(step) {
              if (dead || left === 0) kill();
              left -= 1;
              return rig.model.perform(step);
            },
          },
          reach: async () => kill(),
        });
        left = Number.POSITIVE_INFINITY;
        await dying.begin();
        left = after;
        await dying.change(b, 6, 30).catch(() => {});
        if (!dead) return;
        rmSync(rig.folder, { recursive: true });
        cpSync(copy, rig.folder, { recursive: true });
        rmSync(copy, { recursive: true });
        // a power cut leaves a partial temporary file
        if (cut) writeFileSync(join(rig.folder, 'applied.json.new'), '{"pl');
        const again = rig.host();
        expect(await again.begin()).toMatchObject({ uuid: 6 });
        expect({ ...kernel(), rules: rig.model.state.rules.toSorted() }).toEqual(settled);
        expect(again.plan).toEqual(a);
        expect(new Records(rig.folder).journal).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it('makes the confirmed plan anew after a restart of the box, without a console', async () => {
    await (await rig.started()).change(routed, 7, 30);
    rig.model = new HostModel(foreignHost);
    const reach = () => Promise.reject(new Error('never reached'));
    const host = rig.host({ records: new Records(rig.folder, 'next boot'), reach });
    expect(await host.begin()).toBeNull();
    expect(rig.model.state.addresses).toContain('yx-a 10.1.0.1/24');
    expect(rig.model.state.settings['net/ipv4/ip_forward']).toBe('1');
  });

  it('after a restart of the box in the middle returns to the plan before, with nothing to undo', async () => {
    const host = await rig.started({ reach: () => new Promise(() => {}) });
    void host.change(routed, 7, 600);
    while (host.pending === null || rig.model.state.nft !== routed.nft) await new Promise((turn) => setImmediate(turn));
    rig.model = new HostModel(foreignHost);
    const again = rig.host({ records: new Records(rig.folder, 'next boot') });
    expect(await again.begin()).toMatchObject({ uuid: 7 });
    expect(kernel()).toEqual({ ...new HostModel(foreignHost).state, addresses: foreignHost.addresses.toSorted() });
  });

  it('makes the plan hold also where nothing can be written', async () => {
    await (await rig.started()).change(routed, 7, 30);
    class Full extends Records {
      override settle(): void {
        throw new Error('ENOSPC');
      }
      override note(): void {
        throw new Error('ENOSPC');
      }
    }
    rig.model = new HostModel(foreignHost);
    const host = rig.host({ records: new Full(rig.folder, 'next boot') });
    expect(await host.begin()).toBeNull();
    expect(rig.model.state.addresses).toContain('yx-a 10.1.0.1/24');
  });

  it('killed right after a restart of the box does not take its own things for those of others', async () => {
    await (await rig.started()).change(routed, 7, 30);
    rig.model = new HostModel(foreignHost);
    let left = 3;
    const perform = async (step: Step) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return rig.model.perform(step);
    };
    const killed = new Error('killed');
    const dying = rig.host({
      records: new Records(rig.folder, 'next boot'),
      executor: { perform },
      log: () => {
        throw killed;
      },
    });
    await expect(dying.begin()).rejects.toBe(killed);
    const host = rig.host({ records: new Records(rig.folder, 'next boot') });
    await host.begin();
    expect(await host.change({ ...routed, addresses: [], links: [] }, 8, 30)).toEqual({ confirmed: true });
    expect(rig.model.state.links['yx-a']).toBeUndefined();
    expect(rig.model.state.settings['net/ipv4/ip_forward']).toBe('1');
    await host.clear();
    expect(rig.model.state.settings['net/ipv4/ip_forward']).toBe(foreignHost.settings['net/ipv4/ip_forward']);
  });

  it('reads a broken record as none', async () => {
    await rig.started();
    writeFileSync(join(rig.folder, 'applied.json'), '{"plan":');
    expect((await rig.started()).plan).toEqual(emptyPlan);
    expect(readFileSync(join(rig.folder, 'applied.json'), 'utf8')).toContain('"plan"');
  });
});

describe('forgetting everything', () => {
  it('while a change waits leaves nothing, and nothing comes back afterwards', async () => {
    const before = structuredClone(kernel());
    const host: GatewayHost = await rig.started({
      reach: (_within, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ reached: false, detail: 'stopped' }));
          if (host.plan.nft === 'second') void host.clear();
          else resolve({ reached: true });
        }),
    });
    await host.change({ ...routed, nft: 'first' }, 7, 30);
    expect(await host.change({ ...routed, nft: 'second' }, 8, 600)).toMatchObject({ confirmed: false });
    await host.clear();
    expect(kernel()).toEqual(before);
    expect(new Records(rig.folder).applied.plan).toEqual(emptyPlan);
  });
});

describe('the configuration that runs, rendered anew', () => {
  it('is taken back when the console is away, and is not refused from then on', async () => {
    const host = await rig.started();
    await host.change(routed, 7, 30);
    rig.reported = [];
    rig.answers = [{ reached: false, detail: 'no answer' }];
    const anew = { ...routed, nft: 'table inet yunxun { by a newer renderer }' };
    expect(await host.change(anew, 7, 30)).toMatchObject({ confirmed: false });
    expect(rig.reported).toEqual([expect.objectContaining({ uuid: 7, until: expect.anything() })]);
    expect(new Records(rig.folder).returned).toBeNull();
    expect(rig.model.state.nft).toBe(routed.nft);
  });
});
