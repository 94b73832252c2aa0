import { isIPv4 } from 'node:net';
import { macOfSerial } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { better, type Match, matches, matchOf, startingWith } from '../../platform/search/index.ts';
import { knownStations, stationsAt, stationsOfUser } from '../../telemetry/read/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import { userRows } from './rows.ts';
import { shownTo } from './shown.ts';

export const clientSearch: SearchSource = { permission: 'user.read', find: searchClients };

/** Of a limited member: a slice costs look-ups in 400 daily partitions. */
const [sliceSize, maxCandidates] = [50, 500];

/**
 * Finds by MAC, host name, remark, IP or network, portal account. Limited callers: among the best 500 of the account.
 */
async function searchClients(request: SearchRequest): Promise<Hit[]> {
  const { tx, accountId, gwids, word, entries, limit, now } = request;
  const matchByMac = new Map<string, Match>();
  const found = (mac: string, match: Match) => matchByMac.set(mac, better(match, matchByMac.get(mac) ?? null)!);
  for (const { id, match } of [...entries.client_remark, ...entries.client]) found(id, match);
  if (word.addresses) {
    const match = isIPv4(word.text) ? 'exact' : 'start';
    for (const mac of await stationsAt(tx, accountId, { gwids }, word.addresses, limit)) found(mac, match);
  }
  // other portal accounts are found in the list of clients
  if (word.text.length >= 3) {
    const range = startingWith(word.text);
    for (const mac of await stationsOfUser(tx, accountId, { gwids }, range, limit)) found(mac, 'start');
  }
  const order = (mac: string) => matches.indexOf(matchByMac.get(mac)!);
  const sorted = [...matchByMac.keys()].toSorted((a, b) => order(a) - order(b));
  const macs = gwids ? await firstKnown(tx, sorted, limit) : sorted.slice(0, limit);
  const rows = macs.length > 0 ? await userRows(tx, await shownTo(tx, accountId, gwids, now), macs) : [];
  return rows.map((row) => ({
    kind: 'client' as const,
    id: row.mac,
    title: row.remark || row.hostname || macOfSerial(row.mac),
    detail: row.ip ?? row.ssid,
    type: row.terminal.type,
    gwid: row.gwid,
    network: row.network,
    status: row.online ? ('online' as const) : ('offline' as const),
    match: matchByMac.get(row.mac) ?? matchOf(row.hostname ?? '', word) ?? 'part',
  }));
}

/** Checks slices in turn: most words need one. */
async function firstKnown(tx: Tx, macs: readonly string[], limit: number): Promise<string[]> {
  const known: string[] = [];
  for (let from = 0; from < Math.min(macs.length, maxCandidates) && known.length < limit; from += sliceSize) {
    const slice = macs.slice(from, from + sliceSize);
    const seen = await knownStations(tx, slice);
    known.push(...slice.filter((mac) => seen.has(mac)));
  }
  return known.slice(0, limit);
}
