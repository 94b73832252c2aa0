import type { DataOf, InputOf, sdwan } from '@yunxun/contract';
import type { EdgeSdwan } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { deviceEvents } from '../fleet/index.ts';
import { overlayAddress } from './compile/index.ts';
import { type FactsDeps, readSites, type Site } from './facts.ts';
import { readNodes } from './store.ts';
import type { NodeRow } from './tables.ts';
import { type Carried, reportedOf } from './views.ts';

type Contract = typeof sdwan;

/**
 * Counts routes off their first candidate as detours.
 * @returns null while offline or without its revision
 */
export function carriedBy({ document, network_id }: NodeRow, site: Site | undefined): Carried | null {
  const reported = reportedOf(site, network_id);
  if (!document || !site?.online || reported?.revision !== document.revision) return null;
  const used = new Map(reported.routes.map((route) => [route.prefix, route.interface]));
  const carried = new Map<string, { routes: number; detours: number }>();
  for (const { prefix, candidates } of document.routes) {
    const at = candidates.findIndex((candidate) => candidate.interface === used.get(prefix));
    if (at < 0) continue;
    const { probe } = candidates[at]!;
    const { routes, detours } = carried.get(probe) ?? { routes: 0, detours: 0 };
    carried.set(probe, { routes: routes + 1, detours: detours + (at > 0 ? 1 : 0) });
  }
  return carried;
}

/** Returns null if not reported. */
export function detoursOf(carried: Carried | null | undefined): number | null {
  if (!carried) return null;
  return [...carried.values()].reduce((sum, { detours }) => sum + detours, 0);
}

/** Returns where an interface leads a prefix. */
export function neighbourAt(
  document: EdgeSdwan | null,
  device: string | null,
  prefix: string | undefined,
): string | null {
  const route = document?.routes.find((one) => one.prefix === prefix);
  return route?.candidates.find((candidate) => candidate.interface === device)?.probe ?? null;
}

/** Derives neighbours from present documents; null: not in them. */
export async function listPathChanges(
  tx: Tx,
  accountId: string,
  { id, key, page = 1, limit = 10 }: InputOf<Contract['pathChangeList']>,
  facts: FactsDeps,
): Promise<DataOf<Contract['pathChangeList']>> {
  const rows = await readNodes(tx, accountId, [id]);
  const chosen = rows.filter(({ gwid }) => key === undefined || gwid === key).map(({ gwid }) => gwid);
  const sites = [...(await readSites(tx, accountId, chosen, facts)).values()];
  const nodes = new Map(rows.map((row) => [row.gwid, row]));
  const bySerial = new Map(sites.flatMap(({ device, gwid }) => (device ? [[device.serial, nodes.get(gwid)!]] : [])));
  const byAddress = new Map(rows.map(({ address, gwid }) => [overlayAddress(address), gwid]));
  const about = { network: id, serials: [...bySerial.keys()] };
  const { list, total } = await deviceEvents.paths(tx, accountId, about, { limit, offset: (page - 1) * limit });
  return {
    list: list.map(({ serial, at, from, to, prefixes }) => {
      const row = bySerial.get(serial)!;
      const keyAt = (device: string | null) =>
        byAddress.get(neighbourAt(row.document, device, prefixes[0]) ?? '') ?? null;
      return { at: at.toISOString(), key: row.gwid, from: keyAt(from), to: keyAt(to), prefixes };
    }),
    total,
  };
}
