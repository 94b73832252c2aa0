import { isDeepStrictEqual } from 'node:util';
import { blockedAnew, blockedElements } from '../render/blocking.ts';
import { captiveTable, noCaptive, noCaptiveBridge } from '../render/captive.ts';
import type { Plan, PlanDhcpClient, PlanLink, PlanRoute, PlanShape, PlanSysctl } from '../render/plan.ts';
import { planKeys } from '../render/plan.ts';
import { givesWay } from './aside.ts';
import * as entry from './entries.ts';
import type { Ownership } from './ownership.ts';
import { isReshaped, makeRedirect, makeShape, reshape, unmakeRedirect, unmakeShape } from './shaping.ts';
import type { Step } from './step.ts';
import { makeTunnel } from './tunnels.ts';
import { makeDhcpClient, unmakeDhcpClient } from './wans.ts';

interface Difference<T> {
  gone: T[];
  fresh: T[];
  changed: { from: T; to: T }[];
}

function difference<T>(before: readonly T[], after: readonly T[], keyOf: (entry: T) => string): Difference<T> {
  const old = new Map(before.map((entry) => [keyOf(entry), entry]));
  const keys = new Set(after.map(keyOf));
  const result: Difference<T> = { gone: [], fresh: [], changed: [] };
  for (const to of after) {
    const from = old.get(keyOf(to));
    if (from === undefined) result.fresh.push(to);
    else if (!isDeepStrictEqual(from, to)) result.changed.push({ from, to });
  }
  result.gone = before.filter((entry) => !keys.has(keyOf(entry))).toReversed();
  return result;
}

/**
 * Returns idempotent steps; the reverse steps undo any prefix, so an interrupted host can reach either plan. Additions
 * precede removals unless both conflict: the console stays reachable. Entries that the kernel drops as a side effect
 * return.
 * @param run folder of the daemons' files
 * @param hooks folder of the DHCP hook
 */
export function changes(before: Plan, after: Plan, owned: Ownership, run: string, hooks = run): Step[] {
  const links = difference(before.links, after.links, planKeys.links);
  const remade = links.changed.filter(({ from, to }) => isRemade(from, to)).map(({ from }) => from);
  const addresses = difference(before.addresses, after.addresses, planKeys.addresses);
  const foreign = new Set(owned.addresses);
  const removedAddresses = addresses.gone.filter((address) => !foreign.has(planKeys.addresses(address)));
  // the kernel rejects an own address as gateway
  const leaving = new Set(removedAddresses.map(({ address }) => address.split('/')[0]));
  const mustWait = ({ via }: PlanRoute) => via !== null && leaving.has(via);
  const withOtherMac = new Set([
    ...[...links.fresh, ...links.gone].flatMap((link) => (macOf(link) === undefined ? [] : [link.device])),
    ...links.changed.flatMap(({ from, to }) => (macOf(from) === macOf(to) ? [] : [to.device])),
  ]);
  // going down for a MAC change loses routes
  const disturbed = new Set([...[...remade, ...removedAddresses].map(({ device }) => device), ...withOtherMac]);
  for (const link of after.links) if (link.kind === 'vlan' && disturbed.has(link.parent)) disturbed.add(link.device);
  const lost = (device: string | null) => device !== null && remade.some((link) => link.device === device);
  // after an interrupted rollback: deleting a subnet's first address drops the others
  const had = new Set(before.addresses.map(planKeys.addresses));
  const stays = new Set(after.addresses.filter((one) => had.has(planKeys.addresses(one))).map(({ device }) => device));
  const grown = addresses.fresh.map(({ device }) => device).filter((device) => stays.has(device));
  const shaken = new Set([...disturbed, ...grown]);

  return [
    ...settings(before, after, owned, isOfHost),
    ...unmadeTraffic(before, after, lost, run),
    ...linkSteps(after, links, remade, owned, withOtherMac),
    ...tunnelSteps(before, after, lost),
    ...settings(before, after, owned, isOfDevice, disturbed),
    ...addresses.fresh.map(entry.makeAddress),
    ...ruleAndRouteSteps(before, after, (route) => !mustWait(route)),
    ...setAsideSteps(before, after, owned),
    ...nftSteps(before, after),
    ...captiveSteps(before, after),
    ...settings(before, after, owned, isOfTracking),
    ...removedAddresses.map(entry.unmakeAddress),
    ...routeSteps(before, after, mustWait),
    ...links.gone
      .filter(({ kind }) => kind !== 'vlan')
      .flatMap((link) => entry.unmakeLink(link, owned.ports[link.device])),
    ...after.addresses.filter(({ device }) => shaken.has(device)).map(entry.makeAddress),
    ...after.routes
      .filter(({ device }) => device === null || shaken.has(device))
      .map((route) => entry.makeRoute(route, false)),
    // the kernel rejects a gateway or source that our addresses stand in for
    ...putBackSteps(before, after, owned, withOtherMac),
    ...madeTraffic(before, after, lost, run, hooks),
    ...disconnectSteps(before, after),
  ];
}

const usualMtu = 1500;

function isRemade(from: PlanLink, to: PlanLink): boolean {
  if (from.kind !== to.kind) return true;
  if (from.kind === 'wireguard' && to.kind === 'wireguard') return from.userspace !== to.userspace;
  if (from.kind !== 'vlan' || to.kind !== 'vlan') return false;
  // with a MAC of its own, a VLAN no longer follows its parent's
  return from.parent !== to.parent || from.id !== to.id || (from.mac !== undefined && to.mac === undefined);
}

function macOf(link: PlanLink): string | undefined {
  return link.kind === 'port' || link.kind === 'vlan' ? link.mac : undefined;
}

function mtuBefore(link: PlanLink, after: Plan, owned: Ownership): number {
  if (link.kind !== 'vlan') return owned.ports[link.device]?.mtu ?? usualMtu;
  const parent = after.links.find(({ device }) => device === link.parent);
  const own = parent !== undefined && parent.kind !== 'ifb' ? parent.mtu : null;
  return Math.min(usualMtu, own ?? owned.ports[link.parent]?.mtu ?? usualMtu);
}

function linkSteps(
  after: Plan,
  links: Difference<PlanLink>,
  remade: readonly PlanLink[],
  owned: Ownership,
  withOtherMac: ReadonlySet<string>,
): Step[] {
  const goneVlans = links.gone.filter(({ kind }) => kind === 'vlan');
  const made = new Set([...links.fresh, ...links.changed.map(({ to }) => to)].map(({ device }) => device));
  const deleted = new Set([...remade, ...goneVlans].filter(({ kind }) => kind !== 'port').map(({ device }) => device));
  // deleting a device removes its VLANs and releases its ports
  const follows = (link: PlanLink) =>
    (link.kind === 'vlan' && (deleted.has(link.parent) || withOtherMac.has(link.parent))) ||
    ((link.kind === 'vlan' || link.kind === 'port') && link.master !== null && deleted.has(link.master));
  return [
    ...[...remade, ...goneVlans].flatMap((link) => entry.unmakeLink(link, undefined)),
    ...links.gone.flatMap((link) => entry.restoreMac(link, owned.ports[link.device])),
    ...links.changed.flatMap(({ from, to }) => {
      const had = from.kind !== 'ifb' && from.mtu !== null && to.kind !== 'ifb' && to.mtu === null;
      return [
        ...(had ? [entry.setMtu(to.device, mtuBefore(to, after, owned))] : []),
        ...(macOf(to) === undefined ? entry.restoreMac(from, owned.ports[from.device]) : []),
      ];
    }),
    ...after.links.filter((link) => made.has(link.device) || follows(link)).flatMap(entry.makeLink),
  ];
}

/** Deletes tunnels with their link. */
function tunnelSteps(before: Plan, after: Plan, lost: Lost): Step[] {
  const { fresh, changed } = difference(before.tunnels, after.tunnels, planKeys.tunnels);
  const again = after.tunnels.filter(({ device }) => lost(device));
  return [...new Set([...fresh, ...changed.map(({ to }) => to), ...again])].map(makeTunnel);
}

const isOfDevice = ({ device }: PlanSysctl) => device !== null;
/** Selects settings that exist only once connection tracking is loaded. */
const isOfTracking = ({ path, device }: PlanSysctl) => device === null && path.startsWith('net/netfilter/');
const isOfHost = (setting: PlanSysctl) => !isOfDevice(setting) && !isOfTracking(setting);

function settings(
  before: Plan,
  after: Plan,
  owned: Ownership,
  ofKind: (setting: PlanSysctl) => boolean,
  disturbed: ReadonlySet<string> = new Set(),
): Step[] {
  const parts = difference(before.sysctls.filter(ofKind), after.sysctls.filter(ofKind), planKeys.sysctls);
  const set = new Map([...parts.fresh, ...parts.changed.map(({ to }) => to)].map((one) => [one.path, one]));
  for (const one of after.sysctls.filter(ofKind)) {
    if (one.device !== null && disturbed.has(one.device)) set.set(one.path, one);
  }
  const back = parts.gone.flatMap(({ path }) => {
    const value = owned.settings[path];
    return value === undefined ? [] : [{ path, value, needed: false }];
  });
  return [...back, ...set.values()].map(entry.makeSetting);
}

type Which = (route: PlanRoute) => boolean;

function routeSteps(before: Plan, after: Plan, which: Which): Step[] {
  const routes = difference(before.routes, after.routes, planKeys.routes);
  return [
    ...routes.fresh.filter(which).map((route) => entry.makeRoute(route, false)),
    ...routes.changed.filter(({ to }) => which(to)).map(({ to }) => entry.makeRoute(to, true)),
  ];
}

function ruleAndRouteSteps(before: Plan, after: Plan, now: Which): Step[] {
  const rules = difference(before.rules, after.rules, planKeys.rules);
  const routes = difference(before.routes, after.routes, planKeys.routes);
  return [
    ...routeSteps(before, after, now),
    ...rules.fresh.map(entry.makeRule),
    ...rules.changed.flatMap(({ from, to }) => [entry.makeRule(to), entry.unmakeRule(from)]),
    ...rules.gone.map(entry.unmakeRule),
    ...routes.gone.map(entry.unmakeRoute),
  ];
}

function setAsideSteps(before: Plan, after: Plan, { aside }: Ownership): Step[] {
  const fresh = aside.filter(({ device }) => givesWay(after, device) && !givesWay(before, device));
  return fresh.map(entry.setAside);
}

/** Restores foreign default routes once our WANs fail, and after a MAC change. */
function putBackSteps(before: Plan, after: Plan, { aside }: Ownership, withOtherMac: ReadonlySet<string>): Step[] {
  const back = aside.filter(
    ({ device }) => !givesWay(after, device) && (givesWay(before, device) || withOtherMac.has(device)),
  );
  return back.flatMap(entry.putBack);
}

function nftSteps(before: Plan, after: Plan): Step[] {
  const step = (input: string): Step => ({ do: 'run', argv: ['nft', '-f', '-'], input });
  if (before.nft !== after.nft) return [step(`${after.nft}${blockedElements(after.blocked)}`)];
  return isDeepStrictEqual(before.blocked, after.blocked) ? [] : [step(blockedAnew(after.blocked))];
}

/** Keeps granted clients; empties the garden when its names change. */
function captiveSteps({ captive: from }: Plan, { captive: to }: Plan): Step[] {
  const changed = (['garden', 'pay'] as const).filter((set) => !isDeepStrictEqual(from?.[set], to?.[set]));
  if (from?.nft === to?.nft && changed.length === 0) return [];
  const emptied = changed.filter((set) => from?.[set] && to?.[set]).map((set) => `flush set ${captiveTable} ${set}\n`);
  const own = to === undefined ? noCaptive : `${to.nft}${emptied.join('')}`;
  const input = from?.bridges && !to?.bridges ? `${own}${noCaptiveBridge}` : own;
  return [{ do: 'run', argv: ['nft', '-f', '-'], input }];
}

function disconnectSteps(before: Plan, after: Plan): Step[] {
  const macs = after.blocked.filter((mac) => !before.blocked.includes(mac));
  return macs.length === 0 ? [] : [{ do: 'disconnect', macs }];
}

type Lost = (device: string) => boolean;

/** Omits fields that need no restart: a running client keeps lease and connections. */
function asStarted(client: PlanDhcpClient): PlanDhcpClient {
  return { ...client, resolv: null };
}

function unmadeTraffic(before: Plan, after: Plan, lost: Lost, run: string): Step[] {
  const clients = difference(before.dhcpClients.map(asStarted), after.dhcpClients.map(asStarted), planKeys.dhcpClients);
  const shapes = difference(before.shapes, after.shapes, planKeys.shapes);
  const redirects = difference(before.redirects, after.redirects, planKeys.redirects);
  const oldOnes = <T extends { device: string }>(all: readonly T[], { gone, changed }: Difference<T>) =>
    new Set([...gone, ...changed.map(({ from }) => from), ...all.filter(({ device }) => lost(device))]);
  const reshaped = new Set(reshapes(before, after, lost).map(({ from }) => from));
  const dnsmasq = before.dnsmasq;
  return [
    ...[...oldOnes(before.redirects, redirects)].flatMap(unmakeRedirect),
    ...[...oldOnes(before.shapes, shapes)].filter((shape) => !reshaped.has(shape)).flatMap(unmakeShape),
    ...[...oldOnes(before.dhcpClients.map(asStarted), clients)].flatMap((client) => unmakeDhcpClient(client, run)),
    ...(dnsmasq === null || isDeepStrictEqual(dnsmasq, after.dnsmasq)
      ? []
      : entry.unmakeDnsmasq(dnsmasq, after.dnsmasq, run)),
  ];
}

function reshapes(before: Plan, after: Plan, lost: Lost): Difference<PlanShape>['changed'] {
  const { changed } = difference(before.shapes, after.shapes, planKeys.shapes);
  return changed.filter(({ from, to }) => !lost(to.device) && isReshaped(from, to));
}

function madeTraffic(before: Plan, after: Plan, lost: Lost, run: string, hooks: string): Step[] {
  const newOnes = <T extends { device: string }>(old: readonly T[], all: readonly T[]) =>
    all.filter((one) => lost(one.device) || !old.some((other) => isDeepStrictEqual(other, one)));
  const dnsmasq = after.dnsmasq;
  const inPlace = reshapes(before, after, lost);
  const reshaped = new Set(inPlace.map(({ to }) => to));
  return [
    ...inPlace.flatMap(({ from, to }) => reshape(from, to)),
    ...newOnes(before.shapes, after.shapes)
      .filter((shape) => !reshaped.has(shape))
      .flatMap(makeShape),
    ...newOnes(before.redirects, after.redirects).flatMap(makeRedirect),
    ...(dnsmasq === null || isDeepStrictEqual(before.dnsmasq, dnsmasq) ? [] : entry.makeDnsmasq(dnsmasq, run)),
    ...after.dhcpClients.flatMap((client) => {
      const old = before.dhcpClients.find(({ device }) => device === client.device);
      const goes = old !== undefined && !lost(client.device) && isDeepStrictEqual(asStarted(old), asStarted(client));
      if (!goes) return makeDhcpClient(client, run, hooks);
      return client.resolv === null || client.resolv === old.resolv
        ? []
        : [{ do: 'touch' as const, path: client.resolv }];
    }),
  ];
}
