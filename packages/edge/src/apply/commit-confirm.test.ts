import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cancel, Clock } from '../clock.ts';
import type { Plan } from '../render/plan.ts';
import { HostModel, type HostState } from '../testing/host-model.ts';
import { HostRig, hostStart, lease, makeWan, routed } from '../testing/host-rig.ts';
import { wayOut } from '../testing/model-network.ts';
import { foreignHost, foreignHosts } from '../testing/plans.ts';
import type { HostOptions } from './host-options.ts';
import { Records } from './records.ts';
import type { Lease } from './wans.ts';

/** Waits are over at once and have taken their time. */
class RunningClock implements Clock {
  #now = hostStart;
  now(): number {
    return this.#now;
  }
  after(delay: number, run: () => void): Cancel {
    let off = false;
    queueMicrotask(() => {
      if (off) return;
      this.#now += delay;
      run();
    });
    return () => {
      off = true;
    };
  }
  pass(ms: number): void {
    this.#now += ms;
  }
}

/** After milliseconds (null: never); whether its router is one. */
interface Offer {
  afterMs: number | null;
  isRouter: boolean;
}

const realRouter = '192.0.2.1';
const offers = { none: { afterMs: null, isRouter: true }, slow: { afterMs: 8_000, isRouter: true } } as const;

let rig: HostRig;
let clock: RunningClock;
beforeEach(() => {
  rig = new HostRig();
  clock = new RunningClock();
});
afterEach(() => rig.stop());

const kernel = ({ links, addresses, routes, rules, nft, daemons }: HostState) =>
  structuredClone({ links, addresses: addresses.toSorted(), routes, rules: rules.toSorted(), nft, daemons });

const isOnline = () => {
  const way = wayOut(rig.model.state);
  return way?.via === realRouter && way.device === 'eth0';
};

function networkOf(
  given: Readonly<Record<string, Offer>>,
): Partial<HostOptions> & { lease(device: string): Lease | null } {
  const began = clock.now();
  return {
    clock,
    elapsed: () => clock.now(),
    hasCarrier: () => true,
    lease(device) {
      const offer = given[device];
      if (offer?.afterMs == null || clock.now() - began < offer.afterMs) return null;
      const gateway = offer.isRouter ? realRouter : '192.0.2.99';
      return device === 'eth0' ? { ...lease, gateway } : { ...lease, address: '203.0.113.50', gateway: '203.0.113.1' };
    },
    async reach(within) {
      if (isOnline()) return { reached: true };
      clock.pass(within);
      return { reached: false, detail: 'no answer' };
    },
    names: async () => ({ failed: null, warnings: [] }),
  };
}

const withLan: Plan['layout'] = {
  ...routed.layout,
  interfaces: [{ name: 'down1v0', location: '/interfaces/1', role: 'downstream', device: 'yx-a', ports: [] }],
};

const dhcp = (...devices: string[]): Plan => ({
  ...routed,
  dhcpClients: devices.map((device) => ({ device, hostName: null, resolv: null })),
  lines: devices.map((device, index) => makeWan(device, 10 * (index + 1))),
});

describe('a change to DHCP on a box that its distribution has online', () => {
  it('is confirmed over the route of its lease, however slow that comes', async () => {
    const host = await rig.started(networkOf({ eth0: offers.slow }));
    expect(await host.change(dhcp('eth0'), 7, 30)).toEqual({ confirmed: true });
    expect(rig.model.state.routes['254 default 10']).toBe('192.0.2.1 eth0 201');
    expect(rig.model.state.routes).not.toHaveProperty('254 default 0');
  });

  it('is taken back when the lease names a router that is none', async () => {
    const host = await rig.started(networkOf({ eth0: { afterMs: 1_000, isRouter: false } }));
    expect(await host.change(dhcp('eth0'), 7, 30)).toMatchObject({ confirmed: false });
    expect(isOnline()).toBe(true);
  });

  it("is taken back when it is the distribution's client that reached the console, over a route put back meanwhile", async () => {
    const network = networkOf({ eth0: { afterMs: 1_000, isRouter: false } });
    const replaced = { ...rig.model.state.routes };
    let answers = 0;
    const host = await rig.started({
      ...network,
      async reach(within, signal) {
        if (answers++ > 0) return network.reach!(within, signal);
        const { '254 default 10': _own, ...routes } = rig.model.state.routes;
        rig.model.state.routes = { ...routes, '254 default 1004': replaced['254 default 0']! };
        expect(isOnline()).toBe(true);
        return { reached: true };
      },
      async drift(wanted) {
        const holds = '254 default 10' in rig.model.state.routes;
        const routes = wanted.routes.filter(({ to, table }) => holds || to !== 'default' || table !== 254);
        const missing = routes.length < wanted.routes.length ? ['route default via 192.0.2.99 dev eth0'] : [];
        return { present: { ...wanted, routes }, missing, intruders: [] };
      },
    });
    expect(await host.change(dhcp('eth0'), 7, 30)).toMatchObject({ confirmed: false });
    expect(answers).toBeGreaterThan(1);
    expect(isOnline()).toBe(true);
  });

  it('is taken back when no lease comes, and the reason says so', async () => {
    const host = await rig.started(networkOf({ eth0: offers.none }));
    expect(await host.change(dhcp('eth0'), 7, 30)).toEqual({
      confirmed: false,
      reason: 'the console was not reached within 30 s (no answer; eth0 gets no address by DHCP)',
    });
    expect(rig.model.state.routes['254 default 0']).toBe('192.0.2.1 eth0 dhcp');
  });

  it('is confirmed with a warning when a second WAN with a cable gets no lease', async () => {
    const host = await rig.started(networkOf({ eth0: offers.slow, eth1: offers.none }));
    const warnings = ['eth1 gets no address by DHCP'];
    expect(await host.change(dhcp('eth0', 'eth1'), 7, 30)).toEqual({ confirmed: true, warnings });
  });

  it('does not wait for a WAN without a cable', async () => {
    const hasCarrier = (device: string) => device === 'eth0';
    const host = await rig.started({ ...networkOf({ eth0: offers.slow, eth1: offers.none }), hasCarrier });
    const began = clock.now();
    expect(await host.change(dhcp('eth0', 'eth1'), 7, 60)).toEqual({ confirmed: true });
    expect(clock.now() - began).toBeLessThan(10_000);
  });

  it('reaches the console again when a lease changed while the names were asked', async () => {
    const network = networkOf({});
    let [asked, gateway] = [0, realRouter];
    const host = await rig.started({
      ...network,
      lease: () => ({ ...lease, gateway }),
      async names() {
        asked += 1;
        gateway = '192.0.2.99';
        return { failed: null, warnings: [] };
      },
    });
    expect(await host.change(dhcp('eth0'), 7, 30)).toMatchObject({ confirmed: false });
    expect(asked).toBe(1);
    expect(isOnline()).toBe(true);
  });

  it('that leaves the WANs alone does not try out the routes of others', async () => {
    const host = await rig.started({ ...networkOf({ eth0: offers.none }), reach: async () => ({ reached: true }) });
    await host.change(dhcp('eth0'), 7, 30);
    const seen: boolean[] = [];
    const again = await rig.started({
      ...networkOf({ eth0: offers.none }),
      async reach() {
        seen.push(isOnline());
        return { reached: true };
      },
    });
    expect(await again.change({ ...dhcp('eth0'), nft: 'table inet yunxun { other }' }, 8, 30)).toMatchObject({
      confirmed: true,
    });
    expect(seen).toEqual([true]);
  });

  const offer: fc.Arbitrary<Offer> = fc.record({
    afterMs: fc.option(fc.constantFrom(0, 400, 1_000, 8_000, 25_000, 200_000)),
    isRouter: fc.boolean(),
  });
  const lans = fc.subarray(['10.1.0.1/24', '192.0.2.1/24', '192.0.2.130/25', '192.0.2.50/24']);

  it('never costs the box its console, whatever the leases and the LAN', async () => {
    const devices = fc.subarray(['eth0', 'eth1'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(foreignHosts, devices, lans, offer, offer, async (foreign, lines, subnets, first, second) => {
        rig.stop();
        rig = new HostRig();
        rig.model = new HostModel(foreign);
        const given = { eth0: first, eth1: second };
        const network = networkOf(given);
        const host = await rig.started(network);
        const before = kernel(rig.model.state);
        const addresses = subnets.map((address) => ({ device: 'yx-a', address }));
        const { confirmed } = await host.change({ ...dhcp(...lines), addresses, layout: withLan }, 7, 30);
        if (!confirmed) expect(kernel(rig.model.state)).toEqual(before);
        expect(isOnline()).toBe(true);
        clock.pass(600_000);
        for (const { device } of host.plan.lines) {
          await host.updateWan(device, { lease: network.lease(device) });
          const isDead = device !== 'eth0' || !first.isRouter;
          if (isDead) await host.updateWan(device, { alive: false });
        }
        expect(isOnline()).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a way back', () => {
  const refusing = (times: number) => {
    let left = times;
    return (argv: string) => argv.startsWith('ip -4 route add default via 192.0.2.1') && left-- > 0;
  };

  async function returned(times: number) {
    const network = networkOf({ eth0: { afterMs: 0, isRouter: false } });
    const refuses = refusing(times);
    const host = await rig.started({
      ...network,
      executor: {
        async perform(step) {
          if (step.do === 'run' && refuses(step.argv.join(' '))) throw new Error('RTNETLINK answers: Invalid argument');
          return rig.model.perform(step);
        },
      },
    });
    expect(await host.change(dhcp('eth0'), 7, 30)).toMatchObject({ confirmed: false });
    return host;
  }
  const noDrift = async () => ({ present: routed, missing: [], intruders: [] });

  it('that the kernel refuses is tried again at once', async () => {
    await returned(4);
    expect(kernel(rig.model.state)).toEqual(kernel(foreignHost));
  });

  it('that does not hold keeps its journal, and goes on with the repair of drift', async () => {
    const host = await returned(40);
    expect(isOnline()).toBe(false);
    expect(new Records(rig.folder).journal).toMatchObject({ uuid: 7 });
    for (let look = 0; look < 20; look += 1) await host.heal(noDrift);
    expect(isOnline()).toBe(true);
    expect(new Records(rig.folder).journal).toBeNull();
  });

  it('that does not hold is gone again by the next start', async () => {
    await returned(40);
    const again = rig.host(networkOf({}));
    expect(await again.begin()).toMatchObject({ uuid: 7 });
    expect(isOnline()).toBe(true);
  });
});
