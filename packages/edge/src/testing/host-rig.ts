import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayHost } from '../apply/gateway-host.ts';
import type { HostOptions, Pending } from '../apply/host-options.ts';
import { Records, type Returned } from '../apply/records.ts';
import type { Step } from '../apply/step.ts';
import type { Verdict } from '../apply/verify.ts';
import type { Lease } from '../apply/wans.ts';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { HostModel } from './host-model.ts';
import { foreignHost } from './plans.ts';

export const hostStart = Date.UTC(2026, 10, 21, 10);
export const lease: Lease = {
  address: '192.0.2.50',
  prefix: 24,
  gateway: '192.0.2.1',
  nameServers: ['192.0.2.3'],
};

export const makeWan = (device: string, metric: number): Plan['lines'][number] => ({
  name: device,
  interface: 'up0v0',
  device,
  table: 200 + metric,
  fixed: null,
  metric,
  mark: { value: 0x400, mask: 0x3c00 },
  rulePriority: 20_150,
});

export const routed: Plan = {
  ...emptyPlan,
  sysctls: [{ path: 'net/ipv4/ip_forward', value: '1', device: null, needed: true }],
  links: [{ kind: 'bridge', device: 'yx-a', mtu: null }],
  addresses: [{ device: 'yx-a', address: '10.1.0.1/24' }],
  dhcpClients: [{ device: 'eth0', hostName: null, resolv: null }],
  lines: [makeWan('eth0', 10)],
  nft: 'table inet yunxun { routed }',
};

export class HostRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'yunxun-box-'));
  model = new HostModel(foreignHost);
  reported: (Pending | Returned)[] = [];
  answers: Verdict[] = [];

  host(more: Partial<HostOptions> = {}): GatewayHost {
    return new GatewayHost({
      records: new Records(this.folder, 'this boot'),
      executor: this.model,
      snapshot: async (plan) => this.model.snapshot(plan),
      run: '/run/yunxun-edge',
      lease: () => null,
      clock: new ManualClock(hostStart),
      reach: async () => this.answers.shift() ?? { reached: true },
      pending: (pending) => this.reported.push(pending),
      returned: (returned) => this.reported.push(returned),
      log: () => {},
      ...more,
    });
  }

  async started(more: Partial<HostOptions> = {}): Promise<GatewayHost> {
    const host = this.host(more);
    await host.begin();
    return host;
  }

  async loggingHost(more: Partial<HostOptions> = {}): Promise<{ host: GatewayHost; logged: string[] }> {
    const logged: string[] = [];
    const perform = async (step: Step) => {
      if (step.do === 'run' && step.argv[0] === 'conntrack') logged.push(step.argv.join(' '));
      else await this.model.perform(step);
    };
    return { host: await this.started({ executor: { perform }, ...more }), logged };
  }

  stop(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
