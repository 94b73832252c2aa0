import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPlan, type Plan, type PlanLink } from '../render/plan.ts';
import { HostModel, type HostState } from '../testing/host-model.ts';
import { foreignHost, foreignHosts, plans } from '../testing/plans.ts';
import { givesWay } from './aside.ts';
import { changes } from './changes.ts';
import { keptFor, nothingOwned, type Ownership, ownershipFor } from './ownership.ts';
import { type Step, StepFailed } from './step.ts';

const run = '/run/yunxun-edge';

function sorted(state: HostState): unknown {
  const { files: _files, ...rest } = structuredClone(state);
  const byName = (record: object) =>
    Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  for (const link of Object.values(rest.links)) link.mac ??= rest.links[link.parent ?? '']?.mac ?? null;
  return {
    ...rest,
    addresses: rest.addresses.toSorted(),
    rules: rest.rules.toSorted(),
    traffic: Object.fromEntries(Object.entries(rest.traffic).map(([key, lines]) => [key, lines.toSorted()])),
    settings: byName(rest.settings),
    links: byName(rest.links),
    routes: byName(rest.routes),
  };
}

function parentMac({ links }: HostState, link: PlanLink): string | null | undefined {
  return link.kind === 'vlan' ? links[link.parent]?.mac : undefined;
}

function perform(model: HostModel, steps: readonly Step[], tolerant = false): void {
  for (const step of steps) {
    try {
      model.do(step);
    } catch (error) {
      const isOptional = step.do === 'run' && step.optional === true;
      if (!(tolerant || isOptional) || !(error instanceof StepFailed)) throw error;
    }
  }
}

function hostWith(plan: Plan, foreign = foreignHost): { model: HostModel; owned: Ownership } {
  const model = new HostModel(foreign);
  const owned = ownershipFor(emptyPlan, plan, nothingOwned, model.snapshot(plan));
  perform(model, changes(emptyPlan, plan, owned, run));
  return { model, owned: keptFor(plan, owned) };
}

describe('changes', () => {
  it('put the program that DHCP clients call where programs may be run', () => {
    const plan: Plan = { ...emptyPlan, dhcpClients: [{ device: 'eth0', hostName: null, resolv: null }] };
    const steps = changes(emptyPlan, plan, nothingOwned, run, '/var/lib/yunxun-edge');
    const hook = '/var/lib/yunxun-edge/dhcp-event';
    expect(steps).toContainEqual(expect.objectContaining({ do: 'write', path: hook, executable: true }));
    expect(steps.flatMap((step) => (step.do === 'start' ? [step.argv.join(' ')] : []))).toEqual([
      expect.stringContaining(` -p ${run}/udhcpc-eth0.pid -s ${hook} `),
    ]);
  });

  it('keep a DHCP client, and its lease, when only its name servers go elsewhere', () => {
    const client = { device: 'eth0', hostName: null };
    const own: Plan = { ...emptyPlan, dhcpClients: [{ ...client, resolv: null }] };
    const theirs: Plan = { ...emptyPlan, dhcpClients: [{ ...client, resolv: `${run}/resolv.conf` }] };
    expect(changes(theirs, own, nothingOwned, run)).toEqual([]);
    expect(changes(own, theirs, nothingOwned, run)).toEqual([{ do: 'touch', path: `${run}/resolv.conf` }]);
  });

  it('of a plan to itself are none', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(changes(plan, structuredClone(plan), nothingOwned, run)).toEqual([]);
      }),
    );
  });

  it('make everything the plan says, and leave what was there', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { state } = hostWith(plan).model;
        for (const { path, value } of plan.sysctls) expect(state.settings[path]).toBe(value);
        for (const link of plan.links) {
          expect(state.links[link.device]).toBeDefined();
          if (link.kind !== 'port' && link.kind !== 'vlan') continue;
          const { master, mtu, mac } = state.links[link.device]!;
          expect(master).toBe(link.master);
          if (link.mtu !== null) expect(mtu).toBe(String(link.mtu));
          if (link.mac !== undefined) expect(mac ?? parentMac(state, link)).toBe(link.mac);
        }
        for (const { device, address } of plan.addresses) expect(state.addresses).toContain(`${device} ${address}`);
        for (const { table, to, metric, via, device } of plan.routes) {
          expect(state.routes[`${table} ${to} ${metric}`]).toBe(`${via} ${device} 201`);
        }
        expect(state.rules).toHaveLength(plan.rules.length + 1);
        expect(state.nft).toBe(plan.nft);
        expect(Object.keys(state.daemons)).toHaveLength(plan.dhcpClients.length + (plan.dnsmasq === null ? 0 : 1));
        for (const address of foreignHost.addresses) expect(state.addresses).toContain(address);
        expect(state.routes['254 10.99.0.0/16 0']).toBe(foreignHost.routes['254 10.99.0.0/16 0']);
        const goesOut = givesWay(plan, 'eth0');
        expect('254 default 0' in state.routes).toBe(!goesOut);
      }),
    );
  });

  it('lead from any plan to any other', () => {
    fc.assert(
      fc.property(foreignHosts, plans, plans, (foreign, a, b) => {
        const { model, owned } = hostWith(a, foreign);
        const known = ownershipFor(a, b, owned, model.snapshot(b));
        perform(model, changes(a, b, known, run));
        expect(sorted(model.state)).toEqual(sorted(hostWith(b, foreign).model.state));
      }),
    );
  });

  it('lead back to the very plan from wherever they were stopped', () => {
    fc.assert(
      fc.property(foreignHosts, plans, plans, fc.nat(60), (foreign, a, b, after) => {
        const { model, owned } = hostWith(a, foreign);
        const wanted = sorted(model.state);
        const known = ownershipFor(a, b, owned, model.snapshot(b));
        perform(model, changes(a, b, known, run).slice(0, after));
        perform(model, changes(b, a, known, run), true);
        expect(sorted(model.state)).toEqual(wanted);
      }),
      { numRuns: 400 },
    );
  });

  it('make again what the first address of a subnet took along before they were stopped', () => {
    const link = { kind: 'bridge', device: 'yx-a', mtu: null } as const;
    const [first, second] = ['10.1.0.1/24', '10.1.0.2/24'].map((address) => ({ device: 'yx-a', address }));
    const routes = [{ table: 254, to: '10.9.0.0/16', via: '10.1.0.9', device: 'yx-a', metric: 0 }];
    const a: Plan = { ...emptyPlan, links: [link], addresses: [first!, second!], routes };
    const b: Plan = { ...a, addresses: [second!] };
    const { model, owned } = hostWith(a);
    const wanted = sorted(model.state);
    const steps = changes(a, b, owned, run);
    const removal = steps.findIndex((step) => step.do === 'run' && step.argv.includes('del'));
    perform(model, steps.slice(0, removal + 1));
    expect(model.state.addresses.filter((one) => one.startsWith('yx-a '))).toEqual([]);
    perform(model, changes(b, a, owned, run));
    expect(sorted(model.state)).toEqual(wanted);
  });

  it('done twice are as done once', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { model, owned } = hostWith(plan);
        const once = sorted(model.state);
        perform(model, changes(emptyPlan, plan, owned, run));
        expect(sorted(model.state)).toEqual(once);
      }),
    );
  });

  it('to nothing leave the box as it was before us', () => {
    fc.assert(
      fc.property(foreignHosts, plans, (foreign, plan) => {
        const { model, owned } = hostWith(plan, foreign);
        perform(model, changes(plan, emptyPlan, owned, run));
        expect(sorted(model.state)).toEqual(sorted(foreign));
      }),
    );
  });

  it('pass no text through a shell: every argument is separate', () => {
    fc.assert(
      fc.property(plans, plans, (a, b) => {
        for (const step of changes(a, b, nothingOwned, run)) {
          if (step.do === 'run' || step.do === 'start') expect(step.argv[0]).toMatch(/^(ip|tc|nft|dnsmasq|busybox)$/);
        }
      }),
    );
  });
});
