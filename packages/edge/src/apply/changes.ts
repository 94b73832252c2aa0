import { isDeepStrictEqual } from 'node:util';
import type { Plan, PlanLink, PlanRoute, PlanSysctl } from '../render/plan.ts';
import { planKeys } from '../render/plan.ts';
import * as entry from './entries.ts';
import { makeDhcpClient, unmakeDhcpClient } from './lines.ts';
import type { Ownership } from './ownership.ts';
import { makeRedirect, makeShape, unmakeRedirect, unmakeShape } from './shaping.ts';
import type { Step } from './step.ts';

/** What two lists of a plan differ in, by the key of their entries. */
interface Difference<T> {
  gone: T[];
  fresh: T[];
  /** The new one of an entry whose contents changed. */
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
 * The steps from one plan to another. Every step can be done twice and every prefix of the steps can be undone by the
 * steps back, so a box that was left in the middle is led to either plan. What is new is made before what is old is
 * taken away, so that a path to the console is missing only where the two cannot stand side by side; and what the
 * kernel drops along with something (routes with a device's last address, the addresses of a deleted device) is made
 * again.
 * @param run folder of our daemons' files
 * @param hooks folder of the program that DHCP clients call
 */
export function changes(before: Plan, after: Plan, owned: Ownership, run: string, hooks = run): Step[] {
  const links = difference(before.links, after.links, planKeys.links);
  const remade = links.changed.filter(({ from, to }) => isRemade(from, to)).map(({ from }) => from);
  const addresses = difference(before.addresses, after.addresses, planKeys.addresses);
  const foreign = new Set(owned.addresses);
  const removedAddresses = addresses.gone.filter((address) => !foreign.has(planKeys.addresses(address)));
  // the kernel takes no gateway that is an address of its own
  const leaving = new Set(removedAddresses.map(({ address }) => address.split('/')[0]));
  const mustWait = ({ via }: PlanRoute) => via !== null && leaving.has(via);
  const disturbed = new Set([...remade, ...removedAddresses].map(({ device }) => device));
  // a device that follows its parent, and whoever joined a bridge that is made anew
  for (const link of after.links) if (link.kind === 'vlan' && disturbed.has(link.parent)) disturbed.add(link.device);
  const lost = (device: string | null) => device !== null && remade.some((link) => link.device === device);
  // who was stopped on the way from `after` to `before` has lost what the first address of a subnet took along
  const had = new Set(before.addresses.map(planKeys.addresses));
  const stays = new Set(after.addresses.filter((one) => had.has(planKeys.addresses(one))).map(({ device }) => device));
  const grown = addresses.fresh.map(({ device }) => device).filter((device) => stays.has(device));
  const shaken = new Set([...disturbed, ...grown]);

  return [
    ...settings(before, after, owned, isOfBox),
    ...unmadeTraffic(before, after, lost, run),
    ...linkSteps(after, links, remade, owned),
    ...settings(before, after, owned, isOfDevice, disturbed),
    ...addresses.fresh.map(entry.makeAddress),
    ...ruleAndRouteSteps(before, after, (route) => !mustWait(route)),
    ...asideSteps(before, after, owned),
    ...(before.nft === after.nft ? [] : [nftStep(after.nft)]),
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
    ...madeTraffic(before, after, lost, run, hooks),
  ];
}

/** Of a device that nobody says another of. */
const usualMtu = 1500;

/** A device of another kind, or one that the kernel cannot change: deleted and made. */
function isRemade(from: PlanLink, to: PlanLink): boolean {
  if (from.kind !== to.kind) return true;
  return from.kind === 'vlan' && to.kind === 'vlan' && (from.parent !== to.parent || from.id !== to.id);
}

function linkSteps(after: Plan, links: Difference<PlanLink>, remade: readonly PlanLink[], owned: Ownership): Step[] {
  const goneVlans = links.gone.filter(({ kind }) => kind === 'vlan');
  const made = new Set([...links.fresh, ...links.changed.map(({ to }) => to)].map(({ device }) => device));
  const deleted = new Set([...remade, ...goneVlans].filter(({ kind }) => kind !== 'port').map(({ device }) => device));
  // a deleted device takes along the VLANs above it and lets go of its ports
  const follows = (link: PlanLink) =>
    (link.kind === 'vlan' && deleted.has(link.parent)) ||
    ((link.kind === 'vlan' || link.kind === 'port') && link.master !== null && deleted.has(link.master));
  return [
    ...[...remade, ...goneVlans].flatMap((link) => entry.unmakeLink(link, undefined)),
    ...links.changed.flatMap(({ from, to }) => {
      const had = from.kind !== 'ifb' && from.mtu !== null && to.kind !== 'ifb' && to.mtu === null;
      return had ? [entry.setMtu(to.device, owned.ports[to.device]?.mtu ?? usualMtu)] : [];
    }),
    ...after.links.filter((link) => made.has(link.device) || follows(link)).flatMap(entry.makeLink),
  ];
}

const isOfDevice = ({ device }: PlanSysctl) => device !== null;
/** There only once a rule of ours has made the kernel load its connection tracking. */
const isOfTracking = ({ path, device }: PlanSysctl) => device === null && path.startsWith('net/netfilter/');
const isOfBox = (setting: PlanSysctl) => !isOfDevice(setting) && !isOfTracking(setting);

/** Settings of one kind; those of a device that was disturbed are set again. */
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

/** Routes that are new or have changed. */
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

/** Whether a line of ours on a device has a default route, also one that is only its own while the line is lost. */
export function leadsOut({ routes }: Plan, device: string): boolean {
  return routes.some((route) => route.to === 'default' && route.device === device);
}

/** Default routes of others give way while our line on their device has one, and come back when it goes. */
function asideSteps(before: Plan, after: Plan, owned: Ownership): Step[] {
  return owned.aside.flatMap((route) => {
    const [had, has] = [leadsOut(before, route.device), leadsOut(after, route.device)];
    if (has && !had) return [entry.setAside(route)];
    return had && !has ? [entry.putBack(route)] : [];
  });
}

function nftStep(text: string): Step {
  return { do: 'run', argv: ['nft', '-f', '-'], input: text };
}

type Lost = (device: string) => boolean;

/** What stands on devices and would be in the way, or lead nowhere, while those change. */
function unmadeTraffic(before: Plan, after: Plan, lost: Lost, run: string): Step[] {
  const clients = difference(before.dhcpClients, after.dhcpClients, planKeys.dhcpClients);
  const shapes = difference(before.shapes, after.shapes, planKeys.shapes);
  const redirects = difference(before.redirects, after.redirects, planKeys.redirects);
  const oldOnes = <T extends { device: string }>(all: readonly T[], { gone, changed }: Difference<T>) =>
    new Set([...gone, ...changed.map(({ from }) => from), ...all.filter(({ device }) => lost(device))]);
  const dnsmasq = before.dnsmasq;
  return [
    ...[...oldOnes(before.redirects, redirects)].flatMap(unmakeRedirect),
    ...[...oldOnes(before.shapes, shapes)].flatMap(unmakeShape),
    ...[...oldOnes(before.dhcpClients, clients)].flatMap((client) => unmakeDhcpClient(client, run)),
    ...(dnsmasq === null || isDeepStrictEqual(dnsmasq, after.dnsmasq) ? [] : entry.unmakeDnsmasq(dnsmasq, run)),
  ];
}

function madeTraffic(before: Plan, after: Plan, lost: Lost, run: string, hooks: string): Step[] {
  const newOnes = <T extends { device: string }>(old: readonly T[], all: readonly T[]) =>
    all.filter((one) => lost(one.device) || !old.some((other) => isDeepStrictEqual(other, one)));
  const dnsmasq = after.dnsmasq;
  return [
    ...newOnes(before.shapes, after.shapes).flatMap(makeShape),
    ...newOnes(before.redirects, after.redirects).flatMap(makeRedirect),
    ...(dnsmasq === null || isDeepStrictEqual(before.dnsmasq, dnsmasq) ? [] : entry.makeDnsmasq(dnsmasq, run)),
    ...newOnes(before.dhcpClients, after.dhcpClients).flatMap((client) => makeDhcpClient(client, run, hooks)),
  ];
}
