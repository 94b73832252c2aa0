import type pg from 'pg';
import type { Report } from '../extract/index.ts';
import type { Observation } from '../extract/stations.ts';
import type { Item } from './batch.ts';
import type { Ownership } from './port-ownership.ts';

/** Own devices by port, per item. */
export type Nearby = ReadonlyMap<number, ReadonlyMap<string, Ownership>>;

/** Removes own devices from client lists and events, and returns their ports. */
export async function excludeEquipment(
  db: pg.ClientBase,
  items: readonly Item[],
): Promise<{ clients: Item[]; nearby: Nearby }> {
  const asked = new Map<string, { accountId: string; mac: string }>();
  const ask = (accountId: string, mac: string) => asked.set(`${accountId} ${mac}`, { accountId, mac });
  for (const { accountId, report, event } of items) {
    for (const { mac } of event ? [event] : (report?.stations ?? [])) ask(accountId, mac);
    for (const { mac } of announced(report)) ask(accountId, mac);
  }
  if (asked.size === 0) return { clients: [...items], nearby: new Map() };
  const { rows } = await db.query<{ account_id: string; mac: string; serial: string }>({
    name: 'ingest-equipment',
    text: `select e.account_id, e.mac, e.serial from unnest($1::uuid[], $2::text[]) k (account_id, mac)
      join equipment_mac e on e.account_id = k.account_id and e.mac = k.mac`,
    values: [[...asked.values()].map(({ accountId }) => accountId), [...asked.values()].map(({ mac }) => mac)],
  });
  if (rows.length === 0) return { clients: [...items], nearby: new Map() };
  const owners = new Map(rows.map((row) => [`${row.account_id} ${row.mac}`, row.serial]));
  return withoutEquipment(items, (accountId, mac) => owners.get(`${accountId} ${mac}`));
}

/** Removes own devices, and returns their ports. `ownerOf`: serial of the device with this address. */
export function withoutEquipment(
  items: readonly Item[],
  ownerOf: (accountId: string, mac: string) => string | undefined,
): { clients: Item[]; nearby: Nearby } {
  const nearby = new Map<number, Map<string, Ownership>>();
  const clients = items.map((item) => {
    const is = ({ mac }: { mac: string }) => ownerOf(item.accountId, mac) !== undefined;
    if (item.event) return is(item.event) ? { ...item, event: null } : item;
    if (!item.report) return item;
    const ports = portsOf(item.report, item.serial, (mac) => ownerOf(item.accountId, mac));
    if (ports.size > 0) nearby.set(item.id, ports);
    return { ...item, report: without(item.report, is) };
  });
  return { clients, nearby };
}

/** Finds own LLDP neighbours, which client lists leave out. */
function announced(report: Report | null): { mac: string; port: string }[] {
  return (report?.links?.lldp ?? []).flatMap(({ mac, port, up }) => (mac === null || up ? [] : [{ mac, port }]));
}

function portsOf(report: Report, self: string, ownerOf: (mac: string) => string | undefined): Map<string, Ownership> {
  const ports = new Map<string, Ownership>();
  const add = (mac: string, port: string | null, direct: boolean) => {
    const serial = ownerOf(mac);
    if (serial === undefined || serial === self || port === null) return;
    let there = ports.get(port);
    if (!there) {
      there = { serials: new Set(), direct: new Set() };
      ports.set(port, there);
    }
    there.serials.add(serial);
    if (direct) there.direct.add(serial);
  };
  for (const { mac, band, port } of report.stations ?? []) if (band === 0) add(mac, port, false);
  for (const { mac, port } of announced(report)) add(mac, port, true);
  return ports;
}

function without(report: Report, is: (observation: Observation) => boolean): Report {
  const { stations, summary, levels } = report;
  const gone = stations?.filter(is) ?? [];
  if (!stations || gone.length === 0) return report;
  const less = (count: number | null, of: readonly Observation[]) =>
    count === null ? null : Math.max(0, count - new Set(of.map(({ mac }) => mac)).size);
  const on = (band: Observation['band']) => gone.filter((observation) => observation.band === band);
  const [total, by2g, by5g, by6g] = [
    less(summary.clientsTotal, gone),
    less(summary.clients2g, on(2)),
    less(summary.clients5g, on(5)),
    less(summary.clients6g, on(6)),
  ];
  return {
    ...report,
    stations: stations.filter((observation) => !is(observation)),
    summary: { ...summary, clientsTotal: total, clients2g: by2g, clients5g: by5g, clients6g: by6g },
    levels: {
      ...levels,
      clients: total,
      clients2g: by2g,
      clients5g: by5g,
      clients6g: by6g,
      clientsWired: less(levels.clientsWired, on(0)),
    },
  };
}
