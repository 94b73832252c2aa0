import type { fleet as contract, DataOf } from '@yunxun/contract';
import {
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type LinkState,
  type LldpPeer,
  type State,
  type StateInterface,
  type StateRadio,
  type StateSsid,
  type Wire,
} from '@yunxun/contract/device';
import { statedBand } from '../../telemetry/extract/bands.ts';
import { noiseOf, utilizationOf } from '../../telemetry/extract/levels.ts';
import { portsIn } from '../../telemetry/extract/links.ts';
import { switchPorts } from '../../telemetry/extract/switch-ports.ts';
import { wholeWithin, within } from '../../telemetry/extract/values.ts';

const widths = [5, 10, 20, 40, 80, 160, 320] as const;

type RadioReport = DataOf<typeof contract.apDetail>['radios'][number];

export function radiosOf(state: Wire<State>): RadioReport[] {
  const sent = asList(state.interfaces).flatMap((entry) =>
    asList(asRecord<StateInterface>(entry).ssids).map((ssid) => asRecord<StateSsid>(ssid)),
  );
  return asList(state.radios).map((entry, index) => {
    const radio = asRecord<StateRadio>(entry);
    const own = sent.filter((ssid) => asText(asRecord<{ $ref: string }>(ssid.radio).$ref, 64) === `#/radios/${index}`);
    return {
      band: asTexts(radio.band)[0] ?? asTexts(own[0]?.band)[0] ?? bandName(radio),
      channel: wholeWithin(radio.channel, 1, 233),
      width: widths.find((width) => width === asNumber(radio.channel_width)) ?? null,
      // radios waiting for a channel report 0
      power_dbm: within(asNumber(radio.tx_power), 40, 1),
      util_pct: utilizationOf(
        radio,
        own.some((ssid) => asList(ssid.associations).length > 0),
      ),
      noise_dbm: noiseOf(radio),
      clients: own.length > 0 ? own.reduce((sum, ssid) => sum + asList(ssid.associations).length, 0) : null,
      ssids: [...new Set(own.flatMap((ssid) => asText(ssid.ssid, 64) ?? []))],
    };
  });
}

function bandName(radio: Wire<StateRadio>): string | null {
  const band = statedBand(radio);
  return band && `${band}G`;
}

/** Returns null if unreported. */
export function uplinkAddress(state: Wire<State>): string | null {
  for (const entry of asList(state.interfaces)) {
    const { name, ipv4 } = asRecord<StateInterface>(entry);
    if (!(asText(name, 32) ?? '').startsWith('up')) continue;
    const [first] = asTexts(asRecord<NonNullable<StateInterface['ipv4']>>(ipv4).addresses);
    if (first) return first.replace(/\/.*$/, '').slice(0, 64);
  }
  return null;
}

/** Returns the first upstream port with a cable, else the first. */
export function uplinkOf(state: Wire<State>): DataOf<typeof contract.apDetail>['uplink'] {
  const ports = asRecord<Record<string, LinkState>>(asRecord<Links>(state['link-state']).upstream);
  const sockets = Object.entries(ports).map(([port, link]) => ({ port: port.slice(0, 32), ...linkOf(link) }));
  const used = sockets.find(({ carrier }) => carrier) ?? sockets[0];
  if (!used) return null;
  const peers = asRecord<Record<string, readonly LldpPeer[]>>(asRecord<Peers>(state['lldp-peers']).upstream);
  const peer = asRecord<LldpPeer>(asList(peers[used.port])[0]);
  return {
    ...used,
    switch_name: asText(peer.name, 128),
    switch_port: asText(peer.port_id, 64) ?? asText(peer.port_descr, 64),
  };
}

/** Returns the sockets in the device's order; empty if unreported. */
export function portsOf(state: Wire<State>): DataOf<typeof contract.apDetail>['ports'] {
  const watts = new Map(switchPorts(state).map(({ name, poe }) => [name, poe?.watts ?? null]));
  return portsIn(state, { count: 0 }).map(({ name, up, carrier, speed }) => ({
    name,
    uplink: up,
    up: carrier,
    speed,
    watts: watts.get(name) ?? null,
  }));
}

type Links = NonNullable<State['link-state']>;
type Peers = NonNullable<State['lldp-peers']>;

function linkOf(value: unknown): { carrier: boolean | null; speed: number | null } {
  const link = asRecord<LinkState>(value);
  const carrier = asCount(link.carrier);
  return { carrier: carrier === null ? null : carrier > 0, speed: wholeWithin(link.speed, 1, 1_000_000) };
}
