import type { LinkState, State } from '@yunxun/contract/device';
import { unitOf } from '../state/unit.ts';
import type { Switching } from '../world/bss.ts';
import { wiredClient } from '../world/wired.ts';
import { Box, type BoxOptions } from './box.ts';

/** A switch of 24 powered ports and two uplinks. */
export class SwitchBox extends Box implements Switching {
  constructor(options: BoxOptions) {
    super(options);
    this.place.plug(this);
  }

  /** It carries no wireless network, so nothing is ever carried. */
  carried(): void {}

  tick(seconds: number): void {
    for (const entry of this.running?.interfaces ?? []) entry.traffic.add(300 * seconds, 120 * seconds, seconds);
  }

  passed(slot: number, down: number, up: number): void {
    if (!this.up) return;
    this.ports.traffic(this.portOf(slot))?.add(up, down);
    this.ports.traffic('Ethernet0')?.add(down, up, 1);
  }

  /** The port that a socket of the wall leads to. */
  portOf(slot: number): string {
    const used = this.ports.used(false);
    return used[slot % used.length] ?? 'Ethernet1';
  }

  state(nowMs: number): State {
    const random = this.random.fork(`state ${nowMs}`);
    const links = this.ports.report();
    const used = this.ports.used(false);
    const machines = this.place.machinesOf(this).map((machine) => {
      return { ...machine, port: this.portOf(this.place.carriers.length + machine.slot) };
    });
    const watts = new Map(used.map((name) => [name, random.whole(3200, 12_800)]));
    return {
      version: 1,
      unit: unitOf(this.hardware, nowMs, this.bootedMs, used.length, random),
      interfaces: (this.running?.interfaces ?? []).map((entry) => ({
        name: entry.name,
        location: `/interfaces/${entry.index}`,
        uptime: Math.floor((nowMs - this.bootedMs) / 1000) - 20,
        ipv4: { addresses: this.address === null ? [] : [`${this.address}/${this.place.prefixLength}`] },
        ...entry.traffic.report(),
        clients: machines.map(({ mac, number, port }) =>
          wiredClient(mac, number === null ? null : this.place.address(number), port, random.whole(0, 50)),
        ),
      })),
      'link-state': { upstream: links.upstream, downstream: withPower(links.downstream, watts) },
      'lldp-peers': { upstream: this.uplink === null ? {} : { Ethernet0: [this.uplink] }, downstream: {} },
      'mac-forwarding-table': Object.fromEntries(
        used.map((port) => [port, { 1: machines.filter((each) => each.port === port).map((each) => each.mac) }]),
      ),
      'default-gateway': [{ prefix: '0.0.0.0/0', nexthop: this.place.address(1) ?? '', vrf: 0 }],
    };
  }
}

function withPower(
  links: Record<string, LinkState>,
  milliwatts: ReadonlyMap<string, number>,
): Record<string, LinkState> {
  return Object.fromEntries(
    Object.entries(links).map(([name, link]) => {
      const power = milliwatts.get(name);
      const poe = {
        'class-assigned': power === undefined ? 0 : 4,
        'output-power': power ?? 0,
        'fault-status': 'no-fault',
      };
      return [name, { ...link, poe }];
    }),
  );
}
