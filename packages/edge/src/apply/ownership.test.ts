import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyPlan } from '../render/plan.ts';
import { HostRig, lease, routed } from '../testing/host-rig.ts';
import { nothingOwned, ownershipFor } from './ownership.ts';
import { StepFailed } from './step.ts';

let rig: HostRig;

beforeEach(() => {
  rig = new HostRig();
});

afterEach(() => rig.stop());

const route = { device: 'eth0', via: '192.0.2.1', metric: 0, protocol: 'dhcp' };

describe('default routes of others', () => {
  it('are forgotten once their source address is gone', () => {
    const aside = [
      { ...route, source: '192.0.2.9' },
      { ...route, metric: 5, source: '192.0.2.2' },
      { ...route, metric: 6, source: null },
    ];
    const seen = { settings: {}, addresses: ['eth0 192.0.2.2/24'], ports: {}, defaults: [] };
    const known = ownershipFor(routed, routed, { ...nothingOwned, aside }, seen);
    expect(known.aside).toEqual(aside.slice(1));
  });

  it('are not taken into account when the snapshot shows one without its source address', () => {
    const defaults = [{ ...route, source: '192.0.2.9' }];
    const seen = { settings: {}, addresses: [], ports: {}, defaults };
    expect(ownershipFor(emptyPlan, routed, nothingOwned, seen).aside).toEqual([]);
  });

  it('that the kernel refuses to take back are logged, and the change stays', async () => {
    const log: string[] = [];
    let refuse = false;
    const host = await rig.started({
      log: (line) => log.push(line),
      executor: {
        async perform(step) {
          const isBack = step.do === 'run' && step.argv.join(' ').startsWith('ip -4 route add default via 192.0.2.1');
          if (refuse && isBack) throw new StepFailed(step, 'RTNETLINK answers: Invalid argument');
          return rig.model.perform(step);
        },
      },
    });
    await host.change(routed, 7, 30);
    await host.updateWan('eth0', { lease });
    expect(rig.model.state.routes).not.toHaveProperty('254 default 0');
    refuse = true;
    expect(await host.change({ ...routed, dhcpClients: [], lines: [] }, 8, 30)).toEqual({ confirmed: true });
    expect(log.join('\n')).toContain('Invalid argument');
  });
});
