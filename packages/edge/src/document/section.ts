import { edgeDays, edgeLimits } from '@yunxun/contract/device';
import { dotted, holds, isHost, isUnicast, networkOf, networkText, type Subnet } from '@yunxun/contract/ipv4';
import { readMatch } from '../flow/rules.ts';
import type { EdgeDocument, Limit, Network, Uplink } from './document.ts';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import { plainWan, type WanSettings } from './interfaces.ts';
import type { ShapedSection } from './shape.ts';

const root = '/third-party/yunxun';

export function withWans(
  uplinks: readonly Uplink[],
  { lines = [] }: ShapedSection,
  facts: Facts,
  errors: DocumentErrors,
): Uplink[] {
  const settings = new Map<string, WanSettings>();
  for (const [index, line] of lines.entries()) {
    const path = `${root}/lines/${index}`;
    const uplink = uplinks.find(({ name }) => name === line.interface);
    if (!uplink) errors.error(`${path}/interface`, `${quote(line.interface)} is not an upstream interface`);
    else if (settings.has(uplink.name)) errors.error(`${path}/interface`, `${quote(uplink.name)} is here twice`);
    const { addresses = [], every_s: everyS, fails, recovers } = line.probe ?? {};
    for (const [position, address] of addresses.entries())
      if (!isUnicast(address))
        errors.error(`${path}/probe/addresses/${position}`, `${dotted(address)} is not a host address`);
    checkRates(line, path, facts, errors);
    if (line.down_kbps !== undefined && !facts.abilities.ifb)
      errors.error(`${path}/down_kbps`, 'this gateway cannot limit incoming traffic of a line: its kernel has no ifb');
    const usual = plainWan.probe;
    settings.set(uplink?.name ?? '', {
      downKbps: line.down_kbps ?? null,
      upKbps: line.up_kbps ?? null,
      metered: line.metered ?? false,
      probe: {
        addresses,
        everyS: everyS ?? usual.everyS,
        fails: fails ?? usual.fails,
        recovers: recovers ?? usual.recovers,
      },
    });
  }
  return uplinks.map((uplink) => ({ ...uplink, ...settings.get(uplink.name) }));
}

/** Refuses destinations inside the host's own networks. */
export function readRoutes(
  { routes = [] }: ShapedSection,
  uplinks: readonly Uplink[],
  subnets: readonly Subnet[],
  errors: DocumentErrors,
): Pick<EdgeDocument, 'routes' | 'wanRoutes'> {
  const seen = new Set<string>();
  const wanRoutes: { to: Subnet; uplink: string }[] = [];
  const neighbours = routes.flatMap(({ to, via, interface: uplink }, index) => {
    const path = `${root}/routes/${index}`;
    if (!to) return [];
    if ((via === undefined) === (uplink === undefined)) errors.error(path, 'needs via or interface');
    const key = networkText(to);
    if (to.prefix === 0) errors.error(`${path}/to`, 'a default route belongs to an upstream interface');
    else if (to.address !== networkOf(to)) errors.error(`${path}/to`, `has host bits: the network is ${key}`);
    else if (!isUnicast(to.address)) errors.error(`${path}/to`, `${key} is not a unicast network`);
    else if (seen.has(key)) errors.error(`${path}/to`, `there is a route to ${key} already`);
    else if (subnets.some((subnet) => subnet.prefix <= to.prefix && holds(subnet, to.address)))
      errors.error(`${path}/to`, `${key} is part of a network that this gateway is connected to`);
    seen.add(key);
    if (uplink !== undefined) {
      if (uplinks.some(({ name }) => name === uplink)) wanRoutes.push({ to, uplink });
      else errors.error(`${path}/interface`, `${quote(uplink)} is not an upstream interface`);
    }
    if (via === undefined || uplink !== undefined) return [];
    const subnet = subnets.find((candidate) => isHost(candidate, via));
    if (!subnet) errors.error(`${path}/via`, `${dotted(via)} is in no subnet of this gateway`);
    else if (subnet.address === via) errors.error(`${path}/via`, 'is the address of this gateway');
    return [{ to, via }];
  });
  return { routes: neighbours, wanRoutes };
}

export function readLimits(
  { limits = [] }: ShapedSection,
  networks: readonly Network[],
  facts: Facts,
  errors: DocumentErrors,
): Limit[] {
  const names = new Set<string>();
  const subjects = new Set<string>();
  return limits.flatMap((entry, index) => {
    const path = `${root}/limits/${index}`;
    const name = entry.name ?? '';
    if (names.has(name.toLowerCase())) errors.error(`${path}/name`, `${quote(name)} is the name of another limit`);
    names.add(name.toLowerCase());
    if (entry.down_kbps === undefined && entry.up_kbps === undefined) errors.error(path, 'needs down_kbps or up_kbps');
    checkRates(entry, path, facts, errors);
    const of = readSubject(entry.of ?? {}, `${path}/of`, networks, errors);
    if (!of) return [];
    const subject = JSON.stringify(of);
    if (subjects.has(subject)) errors.error(`${path}/of`, 'has a limit already');
    subjects.add(subject);
    return [{ name, of, downKbps: entry.down_kbps ?? null, upKbps: entry.up_kbps ?? null }];
  });
}

type Subject = NonNullable<NonNullable<ShapedSection['limits']>[number]['of']>;

function readSubject(
  { mac, address, interface: name }: Subject,
  path: string,
  networks: readonly Network[],
  errors: DocumentErrors,
): Limit['of'] | null {
  if ([mac, address, name].filter((part) => part !== undefined).length !== 1) {
    errors.error(path, 'must have exactly one of mac, address, interface');
    return null;
  }
  if (mac !== undefined) return { kind: 'mac', mac };
  if (address !== undefined) {
    const home = networks.find(({ subnet }) => subnet && isHost(subnet, address));
    if (!home) errors.error(`${path}/address`, `${dotted(address)} is in no downstream subnet`);
    else if (home.subnet?.address === address) errors.error(`${path}/address`, 'is the address of this gateway');
    return { kind: 'address', address };
  }
  if (!networks.some((network) => network.name === name))
    errors.error(`${path}/interface`, `${quote(name)} is not a downstream interface`);
  return { kind: 'interface', name: name ?? '' };
}

function checkRates(
  { down_kbps: down, up_kbps: up }: { down_kbps?: number | undefined; up_kbps?: number | undefined },
  path: string,
  facts: Facts,
  errors: DocumentErrors,
): void {
  if ((down !== undefined || up !== undefined) && !facts.abilities.shaping)
    errors.error(path, 'this gateway cannot limit rates: its kernel has no htb');
}

export function readReboot({ reboot }: ShapedSection, errors: DocumentErrors): EdgeDocument['reboot'] {
  if (!reboot) return null;
  const { days = [], at = '' } = reboot;
  if (new Set(days).size < days.length) errors.error(`${root}/reboot/days`, 'has a day twice');
  return { days: days.map((day) => (edgeDays.indexOf(day) + 1) % 7).toSorted((a, b) => a - b), at };
}

export function readFlowRules({ app_flow: flow }: ShapedSection, errors: DocumentErrors): EdgeDocument['flowRules'] {
  return (flow?.rules ?? []).flatMap(({ match, category }, index) => {
    if (match === undefined || category === undefined) return [];
    if (readMatch(match) === null)
      errors.error(
        `${root}/app_flow/rules/${index}/match`,
        `${quote(match)} is neither a name such as example.com nor ports such as tcp/8080`,
      );
    return [{ match, category }];
  });
}

export function readConfirm({ confirm_s: confirm }: ShapedSection): number {
  return confirm ?? edgeLimits.confirm.otherwise;
}
