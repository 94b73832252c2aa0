import { topology as contract, type DataOf } from '@yunxun/contract';
import { normaliseMac } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { unknownBand } from '../../telemetry/extract/bands.ts';
import { type LinkReport, linkReports, type Seat, seatsOf } from '../../telemetry/read/links.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import type { Equipment, Reporter } from './claims.ts';
import { type Tree, type TreeNode, treeOf } from './tree.ts';

type DrawnDevice = Awaited<ReturnType<typeof fleetDevices.drawn>>[number];

type Topology = DataOf<typeof contract.get>;
type Node = Topology['nodes'][number];

/** Returns serial, ports, radios. */
function macsOf({ serial, macs }: DrawnDevice, report: LinkReport | undefined): string[] {
  const reported = macs.map((mac) => normaliseMac(mac)).filter((mac) => mac !== null);
  return [...new Set([serial, ...reported, ...(report?.links.own ?? [])])];
}

async function reportersOf(
  tx: Tx,
  accountId: string,
  gwid: string,
  now: Date,
): Promise<{ devices: DrawnDevice[]; reports: Map<string, LinkReport>; reporters: Reporter[] }> {
  const devices = await fleetDevices.drawn(tx, accountId, gwid, now);
  const found = await linkReports(
    tx,
    accountId,
    devices.map(({ serial }) => serial),
  );
  const reports = new Map(found.map((report) => [report.serial, report]));
  const reporters = devices.map((device): Reporter => {
    const report = reports.get(device.serial);
    return {
      serial: device.serial,
      macs: macsOf(device, report),
      gateway: device.routes,
      kind: device.kind,
      links: report?.links ?? null,
    };
  });
  return { devices, reports, reporters };
}

/** A network's tree. */
export interface DrawnTree {
  tree: Tree;
  heardAt: ReadonlyMap<string, Date>;
  gateway: string | null;
  devices: ReadonlyMap<string, DrawnDevice>;
}

/** Omits clients, except `clients`, MACs found in MAC tables. */
export async function boxTree(
  tx: Tx,
  accountId: string,
  gwid: string,
  now: Date,
  clients: ReadonlySet<string> = new Set(),
): Promise<DrawnTree> {
  const { devices, reporters, reports } = await reportersOf(tx, accountId, gwid, now);
  const heardAt = new Map<string, Date>();
  for (const { at, links } of reports.values()) {
    for (const { mac, name } of links.lldp) {
      const id = mac === null ? `name:${name}` : `mac:${mac}`;
      if (at > (heardAt.get(id) ?? new Date(0))) heardAt.set(id, at);
    }
  }
  const gateway = reporters.find((one) => one.gateway)?.serial ?? null;
  const sightings = [...reports.values()].flatMap(({ serial, links }) =>
    Object.entries(links.macs).flatMap(([port, macs]) =>
      macs.filter((mac) => clients.has(mac)).map((mac) => ({ mac, serial, band: 0, port, since: 0 })),
    ),
  );
  return {
    tree: treeOf(reporters, sightings),
    heardAt,
    gateway,
    devices: new Map(devices.map((device) => [device.serial, device])),
  };
}

export async function topologyOf(tx: Tx, accountId: string, gwid: string, now: Date): Promise<Topology> {
  const remark = await fleetNetworks.name(tx, accountId, gwid);
  if (remark === undefined) throw new Failure('notFound');
  const { devices, reports, reporters } = await reportersOf(tx, accountId, gwid, now);
  const { seats, total } = await seatsOf(tx, accountId, gwid, contract.topologyLimits.stations);
  const tree = treeOf(
    reporters,
    seats.map(({ mac, serial, band, port, started_at }) => ({ mac, serial, band, port, since: +started_at })),
  );
  const managed = new Map(devices.map((device) => [device.serial, device]));
  const stations = new Map<string, Seat[]>();
  for (const seat of seats) stations.set(seat.mac, [...(stations.get(seat.mac) ?? []), seat]);
  const nodes = tree.nodes.map((node) => {
    const device = managed.get(node.id);
    if (device) return deviceNode(node, device, reports);
    const equipment = tree.equipment.get(node.id);
    if (equipment) return equipmentNode(node, equipment, reports);
    return stationNode(node, stations.get(node.id.slice('sta:'.length)) ?? []);
  });
  return { as_of: now.toISOString(), remark, nodes, stations: total, left_out: total - stations.size };
}

function linkOf({ id, parent, link }: TreeNode, reports: ReadonlyMap<string, LinkReport>): Node['link'] {
  if (!link) return null;
  const { source, port, childPort } = link;
  const speedAt = (serial: string | null, name: string | null) =>
    reports.get(serial ?? '')?.links.ports.find((one) => one.name === name)?.speed ?? null;
  return { source, port, child_port: childPort, speed: speedAt(id, childPort) ?? speedAt(parent, port) };
}

function portsOf(report: LinkReport | undefined): Node['ports'] {
  const ports = report?.links.ports ?? [];
  return ports.map(({ name, up, carrier, speed }) => ({ name, uplink: up, up: carrier, speed, watts: null }));
}

// spreading thousands of objects takes longer than the tree

function deviceNode(node: TreeNode, device: DrawnDevice, reports: ReadonlyMap<string, LinkReport>): Node {
  const report = reports.get(device.serial);
  return {
    id: node.id,
    kind: device.routes ? 'gateway' : device.kind,
    name: device.name,
    mac: device.serial,
    status: device.status,
    about: device.model,
    ip: null,
    parent: node.parent,
    link: linkOf(node, reports),
    apart: node.apart,
    ports: portsOf(report),
    reported_at: report?.at.toISOString() ?? null,
    rssi: null,
    band: null,
    ssid: null,
  };
}

function equipmentNode(node: TreeNode, equipment: Equipment, reports: ReadonlyMap<string, LinkReport>): Node {
  return {
    id: node.id,
    kind: 'equipment',
    name: equipment.name,
    mac: equipment.mac,
    status: null,
    about: equipment.description,
    ip: equipment.address,
    parent: node.parent,
    link: linkOf(node, reports),
    apart: node.apart,
    ports: [],
    reported_at: null,
    rssi: null,
    band: null,
    ssid: null,
  };
}

const noReports: ReadonlyMap<string, LinkReport> = new Map();

function stationNode(node: TreeNode, seats: readonly Seat[]): Node {
  const seat = seats.find(({ serial }) => serial === node.parent) ?? seats[0];
  const air = seat !== undefined && seat.band > 0 ? seat : null;
  return {
    id: node.id,
    kind: 'station',
    name: seat?.hostname ?? null,
    mac: node.id.slice('sta:'.length),
    status: null,
    about: seats.find(({ brand }) => brand !== null)?.brand ?? null,
    ip: seats.find(({ ip }) => ip !== null)?.ip ?? null,
    parent: node.parent,
    link: linkOf(node, noReports),
    apart: node.apart,
    ports: [],
    reported_at: null,
    rssi: air?.rssi ?? null,
    band: air && air.band !== unknownBand ? air.band : null,
    ssid: air?.ssid ?? null,
  };
}
