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

type RadioReport = DataOf<typeof contract.apDetail>['radios'][number];

/** Radios of a state report with the SSIDs they send out and their terminals; whatever is missing is null. */
export function radiosOf(state: Wire<State>): RadioReport[] {
  const sent = asList(state.interfaces).flatMap((entry) =>
    asList(asRecord<StateInterface>(entry).ssids).map((ssid) => asRecord<StateSsid>(ssid)),
  );
  return asList(state.radios).map((entry, index) => {
    const radio = asRecord<StateRadio>(entry);
    const own = sent.filter((ssid) => asText(asRecord<{ $ref: string }>(ssid.radio).$ref, 64) === `#/radios/${index}`);
    return {
      band: asTexts(radio.band)[0] ?? asTexts(own[0]?.band)[0] ?? null,
      channel: asCount(radio.channel),
      width: asCount(radio.channel_width),
      power_dbm: asNumber(radio.tx_power),
      util_pct: asNumber(radio.chanUtil),
      noise_dbm: noiseOf(radio),
      clients: own.length > 0 ? own.reduce((sum, ssid) => sum + asList(ssid.associations).length, 0) : null,
      ssids: [...new Set(own.flatMap((ssid) => asText(ssid.ssid, 64) ?? []))],
    };
  });
}

/** The noise on the channel in use: the survey has a row for every frequency heard. */
function noiseOf(radio: Wire<StateRadio>): number | null {
  const used = asList(radio.frequency).map(asNumber);
  const rows = asList(radio.survey).map((entry) => asRecord<{ frequency: number; noise: number }>(entry));
  const own = rows.find((row) => used.includes(asNumber(row.frequency))) ?? rows[0];
  return asNumber(own?.noise) ?? asNumber(radio.noise);
}

/** IPv4 address of the device on its uplink; null when the report does not say. */
export function uplinkAddress(state: Wire<State>): string | null {
  for (const entry of asList(state.interfaces)) {
    const { name, ipv4 } = asRecord<StateInterface>(entry);
    if (!(asText(name, 32) ?? '').startsWith('up')) continue;
    const [first] = asTexts(asRecord<NonNullable<StateInterface['ipv4']>>(ipv4).addresses);
    if (first) return first.replace(/\/.*$/, '').slice(0, 64);
  }
  return null;
}

/** Where the device is connected towards the internet: the first of its upstream sockets that has a cable, else the first. */
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

type Links = NonNullable<State['link-state']>;
type Peers = NonNullable<State['lldp-peers']>;

function linkOf(value: unknown): { carrier: boolean | null; speed: number | null } {
  const link = asRecord<LinkState>(value);
  const carrier = asCount(link.carrier);
  const speed = asCount(link.speed);
  return { carrier: carrier === null ? null : carrier > 0, speed: speed === null || speed === 0 ? null : speed };
}
