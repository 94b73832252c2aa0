import { gateway } from '@yunxun/contract';
import {
  dotted,
  holds,
  isHost,
  isUnicast,
  networkText,
  overlap,
  readAddress,
  readSubnet,
  type Subnet,
} from '@yunxun/contract/ipv4';
import { ruleErrorOf, rules } from '@yunxun/contract/rules';
import { type ReportedSubnet, subnetCollisions } from '@yunxun/contract/subnet-collisions';
import { checkForwards } from './gateway-forwards.ts';
import { ValidationErrors } from './validation-errors.ts';

const { gatewayLimits } = gateway;
type Settings = gateway.GatewaySettings;

interface Own extends Subnet {
  name: string;
  lan: boolean;
}

/**
 * Applies the agent's rules (packages/edge/src/document), and checks LANs against `reported` addresses of dynamic WANs.
 * @throws Invalid with paths below `settings`
 */
export function checkGateway(settings: Settings, reported: readonly ReportedSubnet[] = []): void {
  const errors = new ValidationErrors('settings.');
  checkNames(settings, errors);
  checkPorts(settings, errors);
  checkEthernet(settings, errors);
  const subnets = [...checkWans(settings, errors), ...checkNetworks(settings, errors)];
  for (const { line, network, subnet } of subnetCollisions(settings, reported))
    errors.add(`networks.${network}.address`, 'validation.lineSubnet', {
      name: settings.lines[line]!.name,
      subnet,
    });
  const lans = subnets.filter(({ lan }) => lan);
  const whole = lans.length === settings.networks.length;
  const ssh = settings.lines.some((wan) => wan.ssh);
  checkForwards(settings.forwards, whole ? lans : null, ssh, errors);
  checkRoutes(settings, whole ? subnets : null, errors);
  checkLimits(settings, whole ? lans : null, errors);
  checkReboot(settings, errors);
  errors.settle();
}

function checkNames({ lines: wans, networks }: Settings, errors: ValidationErrors): void {
  const seen = new Set<string>();
  const fields = [
    ...wans.map(({ name }, index) => ({ name, field: `lines.${index}.name` })),
    ...networks.map(({ name }, index) => ({ name, field: `networks.${index}.name` })),
  ];
  for (const { name, field } of fields) {
    if (seen.has(name.toLowerCase())) errors.add(field, 'validation.duplicate');
    seen.add(name.toLowerCase());
  }
}

/** Refuses a LAN tagged on the socket of an untagged WAN: its hosts could join the LAN. */
function checkPorts({ lines: wans, networks }: Settings, errors: ValidationErrors): void {
  const plain = new Map<string, string>();
  const tags = new Map<string, string>();
  const lined = new Set(wans.flatMap(({ port, vlan }) => (typeof vlan === 'number' ? [] : [port])));
  const claim = (port: string, name: string, field: string) => {
    const owner = plain.get(port);
    if (owner === undefined) plain.set(port, name);
    else errors.add(field, 'validation.portTaken', { port, name: owner });
  };
  const claimTag = (port: string, vlan: number, name: string, field: string) => {
    const owner = tags.get(`${port} ${vlan}`);
    if (owner === undefined) tags.set(`${port} ${vlan}`, name);
    else errors.add(field, 'validation.vlanTaken', { port, vlan, name: owner });
  };
  for (const [index, { port, vlan, name }] of wans.entries())
    if (typeof vlan === 'number') claimTag(port, vlan, name, `lines.${index}.vlan`);
    else claim(port, name, `lines.${index}.port`);
  for (const [index, { ports, tagged, vlan, name }] of networks.entries()) {
    const at = `networks.${index}`;
    for (const port of ports) claim(port, name, `${at}.ports`);
    for (const port of tagged) {
      const owner = lined.has(port) ? plain.get(port) : ports.includes(port) ? name : undefined;
      if (owner !== undefined) errors.add(`${at}.tagged`, 'validation.portTaken', { port, name: owner });
      else if (vlan !== null) claimTag(port, vlan, name, `${at}.vlan`);
    }
    if (ports.length + tagged.length === 0) errors.add(`${at}.ports`, 'validation.minItems', { min: 1 });
    if (tagged.length > 0 && vlan === null) errors.add(`${at}.vlan`, 'validation.required');
    if (vlan !== null && networks.slice(0, index).some((other) => other.vlan === vlan))
      errors.add(`${at}.vlan`, 'validation.duplicate');
  }
}

/** Checks MTUs: the kernel allows none of a VLAN above the untagged one. */
function checkEthernet({ lines: wans, networks }: Settings, errors: ValidationErrors): void {
  const usual: number = gatewayLimits.mtu.otherwise;
  const untagged = new Map(networks.flatMap(({ ports }) => ports.map((port) => [port, usual])));
  for (const { port, vlan, mtu } of wans) if (typeof vlan !== 'number') untagged.set(port, mtu ?? usual);
  for (const [index, { port, vlan, mtu, mac }] of wans.entries()) {
    if (mac && !isOneMachine(mac)) errors.add(`lines.${index}.mac`, 'validation.mac');
    const max = typeof vlan === 'number' ? untagged.get(port) : undefined;
    if (max !== undefined && typeof mtu === 'number' && mtu > max)
      errors.add(`lines.${index}.mtu`, 'validation.mtuAbovePort', { port, max });
  }
}

function readOwn(
  text: string,
  { min, max }: { min: number; max: number },
  field: string,
  errors: ValidationErrors,
): Subnet | null {
  const host = readSubnet(text);
  if (!host) errors.add(field, 'validation.hostAddress');
  else if (host.prefix < min || host.prefix > max) errors.add(field, 'validation.prefix', { min, max });
  else if (!isHost(host, host.address) || !isUnicast(host.address))
    errors.add(field, 'validation.notMachine', { address: dotted(host.address) });
  else return host;
  return null;
}

function checkOverlap(own: Own, before: readonly Own[], field: string, errors: ValidationErrors): void {
  const other = before.find((one) => overlap(one, own));
  if (other) errors.add(field, 'validation.subnetOverlap', { subnet: networkText(own), name: other.name });
}

function checkWans({ lines: wans }: Settings, errors: ValidationErrors): Own[] {
  const subnets: Own[] = [];
  for (const [index, wan] of wans.entries()) {
    const at = `lines.${index}`;
    for (const list of ['dns', 'probe'] as const)
      for (const text of wan[list]) if (!isAddress(text)) errors.add(`${at}.${list}`, 'validation.ip');
    if (wan.addressing === 'dynamic') continue;
    if (wan.dns.length === 0) errors.add(`${at}.dns`, 'validation.required');
    const host = wan.address ? readOwn(wan.address, gatewayLimits.linePrefix, `${at}.address`, errors) : null;
    if (!wan.address) errors.add(`${at}.address`, 'validation.required');
    const gatewayAddress = wan.gateway ? readAddress(wan.gateway) : null;
    if (!wan.gateway) errors.add(`${at}.gateway`, 'validation.required');
    else if (gatewayAddress === null) errors.add(`${at}.gateway`, 'validation.ip');
    else if (!isUnicast(gatewayAddress) || (host && holds(host, gatewayAddress) && !isHost(host, gatewayAddress)))
      errors.add(`${at}.gateway`, 'validation.notMachine', { address: dotted(gatewayAddress) });
    else if (host && gatewayAddress === host.address) errors.add(`${at}.gateway`, 'validation.ownAddress');
    if (!host) continue;
    const own = { ...host, name: wan.name, lan: false };
    checkOverlap(own, subnets, `${at}.address`, errors);
    subnets.push(own);
  }
  return subnets;
}

function checkNetworks({ lines: wans, networks }: Settings, errors: ValidationErrors): Own[] {
  const before = wans.flatMap(({ name, addressing, address }): Own[] => {
    const host = addressing === 'static' && address ? readSubnet(address) : null;
    return host ? [{ ...host, name, lan: false }] : [];
  });
  const subnets: Own[] = [];
  for (const [index, network] of networks.entries()) {
    const at = `networks.${index}`;
    const host = readOwn(network.address, gatewayLimits.lanPrefix, `${at}.address`, errors);
    if (!host) continue;
    const own = { ...host, name: network.name, lan: true };
    checkOverlap(own, [...before, ...subnets], `${at}.address`, errors);
    checkNextHops(wans, own, errors);
    subnets.push(own);
    checkPool(network, host, `${at}.pool`, errors);
    checkLeases(network, host, `${at}.leases`, errors);
  }
  return subnets;
}

/** The kernel would look for the gateway in the LAN. */
function checkNextHops(wans: Settings['lines'], lan: Own, errors: ValidationErrors): void {
  for (const [index, { addressing, gateway: text, address }] of wans.entries()) {
    const [via, host] = [readAddress(text), readSubnet(address)];
    if (addressing === 'static' && via !== null && holds(lan, via) && !(host && overlap(host, lan)))
      errors.add(`lines.${index}.gateway`, 'validation.subnetOverlap', { subnet: dotted(via), name: lan.name });
  }
}

function checkPool({ pool }: gateway.GatewayNetwork, host: Subnet, at: string, errors: ValidationErrors): void {
  if (!pool) return;
  const first = readAddress(pool.first);
  if (first === null) {
    errors.add(`${at}.first`, 'validation.ip');
    return;
  }
  const last = first + pool.count - 1;
  const subnet = networkText(host);
  if (!isHost(host, first)) errors.add(`${at}.first`, 'validation.outsideSubnet', { subnet });
  else if (!isHost(host, last)) errors.add(`${at}.count`, 'validation.poolTooLong', { subnet });
  else if (host.address >= first && host.address <= last)
    errors.add(`${at}.first`, 'validation.poolHoldsOwn', { address: dotted(host.address) });
}

function checkLeases(
  { pool, leases }: gateway.GatewayNetwork,
  host: Subnet,
  at: string,
  errors: ValidationErrors,
): void {
  const [macs, addresses] = [new Set<string>(), new Set<number>()];
  if (leases.length > 0 && !pool) errors.add(at, 'validation.leasesNeedPool');
  for (const [index, { mac, address: text }] of leases.entries()) {
    const address = readAddress(text);
    if (!isOneMachine(mac)) errors.add(`${at}.${index}.mac`, 'validation.mac');
    if (macs.has(mac)) errors.add(`${at}.${index}.mac`, 'validation.duplicate');
    macs.add(mac);
    const field = `${at}.${index}.address`;
    if (address === null) errors.add(field, 'validation.ip');
    else if (!isHost(host, address)) errors.add(field, 'validation.outsideSubnet', { subnet: networkText(host) });
    else if (address === host.address) errors.add(field, 'validation.ownAddress');
    else if (addresses.has(address)) errors.add(field, 'validation.duplicate');
    if (address !== null) addresses.add(address);
  }
}

function isOneMachine(mac: string): boolean {
  return Number.parseInt(mac.slice(0, 2), 16) % 2 === 0 && mac !== '00:00:00:00:00:00';
}

function checkRoutes(
  { routes, lines: wans }: Settings,
  subnets: readonly Own[] | null,
  errors: ValidationErrors,
): void {
  const seen = new Set<string>();
  for (const [index, { to, via: text }] of routes.entries()) {
    const at = `routes.${index}`;
    const target = readSubnet(to);
    const wrong = ruleErrorOf(rules.subnet, to);
    if (wrong) errors.add(`${at}.to`, wrong.key, wrong.params);
    else if (seen.has(to)) errors.add(`${at}.to`, 'validation.duplicate');
    else if (!target || !isUnicast(target.address)) errors.add(`${at}.to`, 'validation.subnetUnusable');
    else if (subnets?.some((own) => own.prefix <= target.prefix && holds(own, target.address)))
      errors.add(`${at}.to`, 'validation.routeToOwn');
    seen.add(to);
    const via = readAddress(text);
    const subnet = via === null ? undefined : subnets?.find((own) => isHost(own, via));
    if (via === null) {
      if (wans.every(({ name }) => name !== text)) errors.add(`${at}.via`, 'validation.nextHop');
    } else if (subnets && !subnet) errors.add(`${at}.via`, 'validation.noNeighbour');
    else if (subnet?.address === via) errors.add(`${at}.via`, 'validation.ownAddress');
  }
}

function checkLimits({ limits, networks }: Settings, lans: readonly Own[] | null, errors: ValidationErrors): void {
  const [names, targets] = [new Set<string>(), new Set<string>()];
  for (const [index, { name, kind, target, down_mbps: down, up_mbps: up }] of limits.entries()) {
    const at = `limits.${index}`;
    if (names.has(name.toLowerCase())) errors.add(`${at}.name`, 'validation.duplicate');
    names.add(name.toLowerCase());
    if (down === null && up === null) errors.add(`${at}.down_mbps`, 'validation.required');
    const field = `${at}.target`;
    if (kind === 'mac') {
      if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(target) || !isOneMachine(target)) errors.add(field, 'validation.mac');
    } else if (kind === 'address') checkLimitAddress(target, lans, field, errors);
    else if (!networks.some((network) => network.name === target)) errors.add(field, 'validation.choice');
    if (targets.has(`${kind} ${target}`)) errors.add(field, 'validation.duplicate');
    targets.add(`${kind} ${target}`);
  }
}

function checkLimitAddress(text: string, lans: readonly Own[] | null, field: string, errors: ValidationErrors): void {
  const address = readAddress(text);
  const lan = address === null ? undefined : lans?.find((own) => isHost(own, address));
  if (address === null) errors.add(field, 'validation.ip');
  else if (lans && !lan) errors.add(field, 'validation.inNoLan');
  else if (lan?.address === address) errors.add(field, 'validation.ownAddress');
}

function checkReboot({ reboot }: Settings, errors: ValidationErrors): void {
  if (!reboot) return;
  try {
    if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(reboot.time_zone)) throw new RangeError(reboot.time_zone);
    // throws on unknown zones
    Intl.DateTimeFormat('en', { timeZone: reboot.time_zone });
  } catch {
    errors.add('reboot.time_zone', 'validation.timeZone');
  }
}

function isAddress(text: string): boolean {
  const address = readAddress(text);
  return address !== null && isUnicast(address);
}
