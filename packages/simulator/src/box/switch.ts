import {
  asFlag,
  asList,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type ConfigurationDocument,
  type LinkState,
  type LldpPeer,
  type PortPower,
  type State,
} from '@yunxun/contract/device';
import type { ApplyResult } from '@yunxun/edge';
import { unitOf } from '../state/unit.ts';
import { deviceMac } from '../world/addresses.ts';
import type { Switching } from '../world/bss.ts';
import { wiredClient } from '../world/wired.ts';
import { Box, type BoxOptions } from './box.ts';
import { portNames } from './hardware.ts';

const uplinkPort = 'Ethernet0';
/** SFP port without PoE. */
const fibrePort = 'Ethernet25';
const powerBudget = 370;
const defaultVlan = 1;

interface PortSetting {
  enabled: boolean;
  poe: boolean;
  vlan: number;
}
const asShipped: PortSetting = { enabled: true, poe: true, vlan: defaultVlan };

/** 24 PoE ports, two uplinks. Reports like the OpenLAN client: all ports under `upstream`. */
export class SwitchBox extends Box implements Switching {
  #settings: ReadonlyMap<string, PortSetting> = new Map();

  constructor(options: BoxOptions) {
    super(options);
    this.place.plug(this);
  }

  carried(): void {}

  tick(seconds: number): void {
    for (const entry of this.running?.interfaces ?? []) entry.traffic.add(300 * seconds, 120 * seconds, seconds);
  }

  passed(slot: number, down: number, up: number): void {
    if (!this.up) return;
    this.ports.traffic(this.portOf(slot))?.add(up, down);
    this.ports.traffic(uplinkPort)?.add(down, up, 1);
  }

  portOf(slot: number): string {
    const used = this.ports.used(false);
    return used[this.place.placeOn(slot) % used.length] ?? 'Ethernet1';
  }

  /** Refuses a document with missing speed, duplex or ports, or with unknown ports. */
  override apply(document: ConfigurationDocument): ApplyResult {
    const { upstream, downstream } = portNames(this.hardware);
    const names = [...upstream, ...downstream];
    const known = new Set([...names, 'Ethernet*']);
    const entries = asList(document.ethernet).map((entry) => asRecord<Record<string, unknown>>(entry));
    for (const entry of entries) {
      const ports = asTexts(entry['select-ports']);
      const spelt = asText(entry.duplex, 8) !== null && asNumber(entry.speed) !== null && ports.length > 0;
      if (!spelt || ports.some((port) => !known.has(port))) return { error: 2, rejected: ['parse failed'] };
    }
    const result = super.apply(document);
    if (result.error > 1) return result;
    const of = (ports: readonly string[]) => (ports.includes('Ethernet*') ? names : ports);
    const settings = new Map<string, PortSetting>();
    for (const entry of entries) {
      const poe = asRecord<Record<string, unknown>>(entry.poe);
      for (const port of of(asTexts(entry['select-ports']))) {
        const enabled = asFlag(entry.enabled) ?? false;
        settings.set(port, { ...asShipped, enabled, poe: asFlag(poe['admin-mode']) ?? false });
        if (asFlag(poe['do-reset'])) this.#restartPower(port);
      }
    }
    for (const entry of asList(document.interfaces).map((each) => asRecord<Record<string, unknown>>(each))) {
      const vlan = asNumber(asRecord(entry.vlan).id) ?? defaultVlan;
      for (const member of asList(entry.ethernet).map((each) => asRecord<Record<string, unknown>>(each))) {
        if (member['vlan-tag'] !== 'un-tagged') continue;
        for (const port of of(asTexts(member['select-ports'])))
          settings.set(port, { ...(settings.get(port) ?? asShipped), vlan });
      }
    }
    this.#settings = settings;
    return result;
  }

  state(nowMs: number): State {
    const random = this.random.fork(`state ${nowMs}`);
    const used = this.ports.used(false);
    const machines = this.place.machinesOf(this).map((machine) => {
      return { ...machine, port: this.portOf(this.place.carriers.length + machine.slot) };
    });
    const links = this.#links();
    const consumed = Object.values(links).reduce((sum, { poe }) => sum + (poe?.['output-power'] ?? 0), 0) / 1000;
    const poe = { 'max-power-budget': powerBudget, 'power-consumed': Math.round(consumed), 'power-threshold': 90 };
    const learned = [
      ...machines.filter(({ port }) => this.#live(port)).map(({ port, mac }) => ({ port, mac })),
      ...this.#boxes().flatMap(({ port, serial, mac }) =>
        this.#live(port)
          ? [{ port, mac }, ...this.place.at(serial).map((station) => ({ port, mac: station.mac }))]
          : [],
      ),
      ...(this.uplink?.mac === undefined ? [] : [{ port: uplinkPort, mac: this.uplink.mac }]),
    ];
    const table = new Map<string, string[]>();
    for (const { port, mac } of learned) table.set(port, [...(table.get(port) ?? []), mac]);
    return {
      version: 1,
      unit: { ...unitOf(this.hardware, nowMs, this.bootedMs, used.length, random), poe },
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
      'link-state': { upstream: links },
      'lldp-peers': { upstream: this.#peers(), downstream: {} },
      'mac-forwarding-table': Object.fromEntries(
        [...table].map(([port, macs]) => [port, { [this.#setting(port).vlan]: macs }]),
      ),
      'default-gateway': [{ prefix: '0.0.0.0/0', nexthop: this.place.address(1) ?? '', vrf: 0 }],
    };
  }

  #setting(port: string): PortSetting {
    return this.#settings.get(port) ?? asShipped;
  }

  #live(port: string): boolean {
    return this.#setting(port).enabled && (port === uplinkPort || this.ports.used(false).includes(port));
  }

  #boxes(): { port: string; serial: string; mac: string }[] {
    return this.place.carriers.flatMap(({ serial, wireless }, slot) =>
      wireless && this.place.switchOf(slot) === this && deviceMac(serial, 0) !== this.uplink?.mac
        ? [{ port: this.portOf(slot), serial, mac: deviceMac(serial, 0) }]
        : [],
    );
  }

  #peers(): Record<string, LldpPeer[]> {
    const peers: Record<string, LldpPeer[]> = {};
    if (this.uplink !== null) {
      const { port_id: port = 'LAN1', port_descr: _text, ...peer } = this.uplink;
      peers[uplinkPort] = [{ ...peer, port }];
    }
    for (const { port, serial, mac } of this.#boxes()) {
      if (!this.#live(port) || peers[port]) continue;
      peers[port] = [
        { name: `AP ${serial.slice(-4)}`, mac, description: 'Simulated AP', capability: ['Wlan'], port: 'WAN' },
      ];
    }
    return peers;
  }

  #links(): Record<string, LinkState & { poe?: PortPower }> {
    const powered = new Set(this.#boxes().map(({ port }) => port));
    return Object.fromEntries(
      this.ports.all.map(({ name, carrier, speed, traffic }) => {
        const { enabled, poe } = this.#setting(name);
        const up = carrier && enabled;
        const link: LinkState = {
          counters: traffic.absolute(),
          carrier: up,
          ...(up && { duplex: 'full', speed: name === uplinkPort ? 10_000 : speed }),
        };
        if (name === uplinkPort || name === fibrePort) return [name, link];
        const delivers = enabled && poe && powered.has(name);
        return [name, { ...link, poe: powerOf(name, delivers, poe) }];
      }),
    );
  }

  #restartPower(port: string): void {
    if (this.cable(port, false, this.place.nowMs)) this.cable(port, true, this.place.nowMs);
  }
}

/** Returns a port's power; it depends on the port alone, so that reports are reproducible. */
function powerOf(port: string, delivers: boolean, on: boolean): PortPower {
  const milliwatts = delivers ? 6400 + Number(port.slice('Ethernet'.length)) * 130 : 0;
  return {
    'class-requested': delivers ? 4 : 0,
    'class-assigned': delivers ? 4 : 0,
    'output-power': milliwatts,
    'output-current': Math.round(milliwatts / 54),
    'output-voltage': delivers ? '54.0' : '0.0',
    status: delivers ? 'delivering-power' : on ? 'searching' : 'disabled',
    'fault-status': 'no-fault',
    counters: { overload: 0, short: 0, 'power-denied': 0, absent: 0, 'invalid-signature': 0 },
  };
}
