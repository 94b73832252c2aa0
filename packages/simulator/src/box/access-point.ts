import type { Association, State, StateClient, StateInterface, StateSsid } from '@yunxun/contract/device';
import { guestsOf } from '../state/guests.ts';
import { radioOf } from '../state/radios.ts';
import { associationOf } from '../state/stations.ts';
import { unitOf } from '../state/unit.ts';
import type { SpotClient, SpotStation } from '../uspot/spot-session.ts';
import type { SimulatedUspot } from '../uspot/uspot.ts';
import { linkLocal } from '../world/addresses.ts';
import type { Bss } from '../world/bss.ts';
import type { Station } from '../world/station.ts';
import { wiredClient } from '../world/wired.ts';
import { Box } from './box.ts';
import { frequencyOf } from './hardware.ts';
import type { Running, RunningBss, RunningInterface } from './running.ts';

export const firstStation = 20;

export class AccessPointBox extends Box {
  uspot: SimulatedUspot | null = null;

  carried(_bss: Bss, down: number, up: number): void {
    this.ports.traffic('WAN')?.add(down, up);
  }

  override boot(nowMs: number): void {
    super.boot(nowMs);
    this.uspot?.forget();
  }

  override captures({ ssid }: Bss, mac: string): boolean {
    return this.uspot?.captures(ssid, mac) ?? false;
  }

  captured(): Station[] {
    if (!this.up || !this.uspot?.gates) return [];
    return this.place
      .at(this.serial)
      .filter(({ association, mac }) => association !== null && this.captures(association.bss, mac));
  }

  /** As the sign-in knows a client; null without an address. */
  spotClient({ mac, number }: Pick<Station, 'mac' | 'number'>): SpotClient | null {
    const ip = this.place.address(firstStation + number);
    return ip === null ? null : { mac, ip };
  }

  spotStations(ssids: ReadonlySet<string>): SpotStation[] {
    return this.place.at(this.serial).flatMap((station) => {
      const { association } = station;
      const client = this.spotClient(station);
      if (association === null || client === null || !ssids.has(association.bss.ssid)) return [];
      const { traffic, idleSeconds } = association;
      return [{ ...client, traffic, idleSeconds }];
    });
  }

  tick(seconds: number): void {
    this.uspot?.tick();
    const broadcast = this.random.whole(200, 1600) * seconds;
    const own = this.random.whole(60, 240) * seconds;
    this.ports.traffic('WAN')?.add(broadcast, own, seconds * 2);
    for (const entry of this.running?.interfaces ?? []) {
      if (entry.role === 'upstream') entry.traffic.add(broadcast, own, seconds * 2);
    }
  }

  state(nowMs: number): State {
    const { running } = this;
    const stations = this.place.at(this.serial);
    const random = this.random.fork(`state ${nowMs}`);
    if (running === null) return { version: 1, unit: unitOf(this.hardware, nowMs, this.bootedMs, 0, random) };
    const { stateTypes } = running.metrics;
    const gated = this.uspot?.report() ?? null;
    return {
      version: 1,
      unit: unitOf(this.hardware, nowMs, this.bootedMs, stations.length, random),
      radios: running.radios.map((radio, index) => {
        const load = stations.filter(
          (station) => (station.association?.bss as RunningBss | undefined)?.radio === index,
        ).length;
        return radioOf(radio, load, nowMs - this.bootedMs, random);
      }),
      interfaces: running.interfaces.map((entry) => this.#interface(entry, stations, running, nowMs)),
      'link-state': this.ports.report(),
      ...(stateTypes.has('lldp') ? { 'lldp-peers': this.lldp() } : {}),
      ...(gated ? { captive: gated } : this.portal ? { captive: this.#guests(stations, nowMs) } : {}),
    };
  }

  protected lldp(): State['lldp-peers'] {
    return { upstream: this.uplink === null ? {} : { WAN: [this.uplink] }, downstream: {} };
  }

  protected wired(entry: RunningInterface): readonly StateClient[] {
    if (entry !== this.running?.interfaces.find((other) => other.role === 'upstream')) return [];
    return this.neighbours('WAN');
  }

  protected neighbours(port: string): readonly StateClient[] {
    const boxes = this.place.carriers.filter((box) => box.serial !== this.serial);
    return [
      ...boxes.map((box) => wiredClient(box.mac, box.address, port, 3)),
      ...this.place.machines.map(({ mac, number, slot }) =>
        wiredClient(mac, number === null ? null : this.place.address(number), port, (slot * 7) % 50),
      ),
    ];
  }

  protected ipv4(entry: RunningInterface): StateInterface['ipv4'] {
    if (entry.subnet !== null) return { addresses: [entry.subnet] };
    const { address } = this;
    if (address === null || !entry.leased) return {};
    const server = this.place.address(1) ?? address;
    return { addresses: [`${address}/${this.place.prefixLength}`], leasetime: 43_200, dhcp_server: server };
  }

  #guests(stations: readonly Station[], nowMs: number): State['captive'] {
    return guestsOf(stations, nowMs, (station) => this.place.address(firstStation + station.number));
  }

  #interface(entry: RunningInterface, stations: readonly Station[], running: Running, nowMs: number): StateInterface {
    const { stateTypes } = running.metrics;
    const here = stations.filter((station) => entry.bsses.some((bss) => bss === station.association?.bss));
    const wireless = here.map(
      (station): StateClient => ({
        mac: station.mac,
        ...addressPart(this.place.address(firstStation + station.number)),
        ipv6_addresses: [linkLocal(station.mac)],
        ports: [entry.bsses.find((bss) => bss === station.association?.bss)?.iface ?? 'wlan0'],
        last_seen: station.association?.idleSeconds ?? 0,
      }),
    );
    return {
      name: entry.name,
      location: `/interfaces/${entry.index}`,
      uptime: Math.floor((nowMs - this.bootedMs) / 1000) - 20,
      ipv4: this.ipv4(entry) ?? {},
      ipv6: { addresses: [{ address: `${linkLocal(this.mac)}/64`, valid: 86_400 }] },
      dns_servers: entry.role === 'upstream' ? [this.place.address(1) ?? '223.5.5.5'] : [],
      ...entry.traffic.report(),
      ...(stateTypes.has('clients') ? { clients: [...this.wired(entry), ...wireless] } : {}),
      ...(stateTypes.has('ssids') && entry.bsses.length > 0
        ? { ssids: entry.bsses.map((bss) => this.#ssid(bss, here, running, nowMs)) }
        : {}),
    };
  }

  #ssid(bss: RunningBss, stations: readonly Station[], running: Running, nowMs: number): StateSsid {
    const tids = running.metrics.stateTypes.has('tid-stats');
    const associations = stations
      .filter((station) => station.association?.bss === bss)
      .map((station) => associationOf(station, this.place.address(firstStation + station.number), nowMs, tids))
      .filter((entry): entry is Association => entry !== null);
    return {
      ssid: bss.ssid,
      bssid: bss.bssid,
      mode: 'ap',
      band: bss.band,
      phy: running.radios[bss.radio]?.hardware.path ?? '',
      radio: { $ref: `#/radios/${bss.radio}` },
      frequency: [frequencyOf(bss.band, bss.channel)],
      location: bss.location,
      iface: bss.iface,
      ...bss.traffic.report(),
      associations,
    };
  }
}

function addressPart(address: string | null): { ipv4_addresses?: string[] } {
  return address === null ? {} : { ipv4_addresses: [address] };
}
