import {
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type EdgeSdwanState,
  type EdgeState,
  type EdgeWatchResult,
  type EdgeWatchState,
  edgeWatchLimits,
  type State,
  type StateInterface,
  type Wire,
} from '@yunxun/contract/device';
import type { ReportDigest } from '../../uplink/ports.ts';
import { interfacesOf } from './neighbours.ts';
import { reportedPorts } from './switch-ports.ts';

export function digestOf(params: Readonly<Record<string, unknown>>): ReportDigest {
  const state = asRecord<State>(params.state);
  return {
    uuid: asCount(params.uuid),
    requestUuid: asText(params.request_uuid, 64),
    downstream: downstreamOf(state),
    powers: [...powersIn(state)],
    uptimeS: asCount(asRecord<NonNullable<State['unit']>>(state.unit).uptime),
    ...portsIn(state),
    ...tunnelsIn(state),
    ...watchIn(state),
  };
}

function portsIn(state: Wire<State>): Pick<ReportDigest, 'ports'> {
  const ports = reportedPorts(state);
  return ports.length === 0 ? {} : { ports };
}

/** Limits invented WANs. */
const maxLines = 16;

function tunnelsIn(state: Wire<State>): Pick<ReportDigest, 'tunnels'> {
  const { sdwan, lines } = asRecord<EdgeState>(asRecord<{ yunxun: unknown }>(state).yunxun);
  const publicKey = asText(asRecord<EdgeSdwanState>(sdwan).public_key, 64);
  if (publicKey === null) return {};
  const addresses = asList(lines)
    .slice(0, maxLines)
    .flatMap((line) => asText(asRecord<{ address: unknown }>(line).address, 45) ?? []);
  return { tunnels: { publicKey, addresses: addresses.toSorted() } };
}

function watchIn(state: Wire<State>): Pick<ReportDigest, 'watch'> {
  const { watch } = asRecord<EdgeState>(asRecord<{ yunxun: unknown }>(state).yunxun);
  const { revision, targets } = asRecord<EdgeWatchState>(watch);
  const shown = asText(revision, 64);
  if (shown === null) return {};
  const words = asList(targets)
    .slice(0, edgeWatchLimits.targets)
    .map((target) => Number(asRecord<EdgeWatchResult>(target).alive ?? 2));
  return { watch: `${shown} ${words.join('')}` };
}

/** Returns null without interfaces. Factory access points have a downstream interface without clients. */
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

/** Limits invented bands. */
const maxPowers = 16;

/** Returns dBm by band name (`5G`, `5G-lower`). */
export function powersIn(state: unknown): Map<string, number> {
  const powers = new Map<string, number>();
  for (const entry of asList(asRecord<State>(state).radios)) {
    const { tx_power, band } = asRecord<{ tx_power: unknown; band: unknown }>(entry);
    const dbm = asNumber(tx_power);
    // 0: waiting for a channel
    if (dbm === null || dbm < 1 || dbm > 40) continue;
    for (const name of asTexts(band)) {
      const short = name.slice(0, 16);
      if (powers.has(short) || powers.size < maxPowers)
        powers.set(short, Math.max(Math.floor(dbm), powers.get(short) ?? 0));
    }
  }
  return powers;
}
