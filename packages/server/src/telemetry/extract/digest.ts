import {
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type State,
  type StateInterface,
} from '@yunxun/contract/device';
import type { ReportDigest } from '../../uplink/ports.ts';
import { interfacesOf } from './neighbours.ts';

/** What other parts of the program need to know of a report. */
export function digestOf(params: Readonly<Record<string, unknown>>): ReportDigest {
  const state = asRecord<State>(params.state);
  return {
    uuid: asCount(params.uuid),
    requestUuid: asText(params.request_uuid, 64),
    downstream: downstreamOf(state),
    powers: [...powersIn(state)],
  };
}

/**
 * Whether a report shows a downstream interface with an address of its own, and whether somebody is behind it: access
 * points come with such an interface from the factory, which makes none of them a gateway. Null when the report shows no
 * interfaces.
 */
export function downstreamOf(state: unknown): ReportDigest['downstream'] {
  const ports = interfacesOf(asRecord<State>(state));
  if (ports.length === 0) return null;
  const down = ports
    .filter(({ name }) => (asText(name, 32) ?? '').startsWith('down'))
    .map((entry) => ({ ...entry, ipv4: asRecord<NonNullable<StateInterface['ipv4']>>(entry.ipv4) }))
    .filter(({ ipv4 }) => asList(ipv4.addresses).length > 0);
  const serves = down.some(({ clients, ipv4 }) => asList(ipv4.leases).length + asList(clients).length > 0);
  return { routes: down.length > 0, serves };
}

/** Names of bands that are told apart; a device that makes up more of them says nothing by it. */
const mostPowers = 16;

/** What a report says of the radios' power: dBm by the names of bands (`5G`, `5G-lower`). */
export function powersIn(state: unknown): Map<string, number> {
  const powers = new Map<string, number>();
  for (const entry of asList(asRecord<State>(state).radios)) {
    const { tx_power, band } = asRecord<{ tx_power: unknown; band: unknown }>(entry);
    const dbm = asNumber(tx_power);
    // a radio that waits for a channel says 0
    if (dbm === null || dbm < 1 || dbm > 40) continue;
    for (const name of asTexts(band)) {
      const short = name.slice(0, 16);
      if (powers.has(short) || powers.size < mostPowers)
        powers.set(short, Math.max(Math.floor(dbm), powers.get(short) ?? 0));
    }
  }
  return powers;
}
