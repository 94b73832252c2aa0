import {
  emptyPlan,
  type Plan,
  type PlanClass,
  type PlanDhcpClient,
  type PlanLink,
  type PlanRedirect,
  type PlanRoute,
  type PlanRule,
  type PlanSchedule,
  type PlanShape,
  type PlanSysctl,
  type PlanTunnel,
  type PlanWan,
  planKeys,
} from './plan.ts';

/**
 * Formats a difference: `+` added, `-` removed, `~` changed. Empty without changes. Files show only differing lines.
 */
export function describe(before: Plan | null, after: Plan): string {
  const old = before ?? emptyPlan;
  const sections = [
    section('Kernel settings', old.sysctls, after.sysctls, planKeys.sysctls, sysctlText),
    section('Devices', old.links, after.links, planKeys.links, linkText),
    section(
      'Addresses',
      old.addresses,
      after.addresses,
      planKeys.addresses,
      ({ device, address }) => `${address} on ${device}`,
    ),
    section('DHCP clients', old.dhcpClients, after.dhcpClients, planKeys.dhcpClients, clientText),
    section('Routes', old.routes, after.routes, planKeys.routes, routeText),
    section('Routing rules', old.rules, after.rules, planKeys.rules, ruleText),
    section('Lines', old.lines, after.lines, planKeys.lines, lineText),
    section('Tunnels', old.tunnels, after.tunnels, planKeys.tunnels, tunnelText),
    section('Rate limits', old.shapes, after.shapes, planKeys.shapes, shapeText),
    section('Incoming traffic through', old.redirects, after.redirects, planKeys.redirects, redirectText),
    section('Restarts', listed(old.schedule), listed(after.schedule), () => '', scheduleText),
    section('Services', old.services, after.services, planKeys.services, planKeys.services),
    section('Blocked clients', old.blocked, after.blocked, String, String),
    file('Firewall and NAT (table inet yunxun)', old.nft, after.nft),
    file('Captive networks (table inet yunxun_captive)', old.captive?.nft ?? '', after.captive?.nft ?? ''),
    file('DHCP and DNS (dnsmasq)', old.dnsmasq?.config ?? '', after.dnsmasq?.config ?? ''),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function section<T>(
  title: string,
  before: readonly T[],
  after: readonly T[],
  key: (entry: T) => string,
  write: (entry: T) => string,
): string {
  const old = new Map(before.map((entry) => [key(entry), entry]));
  const now = new Map(after.map((entry) => [key(entry), entry]));
  const lines = [
    ...[...old].filter(([name]) => !now.has(name)).map(([, entry]) => `  - ${write(entry)}`),
    ...[...now].flatMap(([name, entry]) => {
      const was = old.get(name);
      if (was === undefined) return [`  + ${write(entry)}`];
      return same(was, entry) ? [] : [`  ~ ${changed(write(was), write(entry))}`];
    }),
  ];
  return titled(title, lines);
}

function changed(was: string, is: string): string {
  return was === is ? is : `${was} -> ${is}`;
}

function file(title: string, before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = [
    ...surplus(old, now).map((line) => `  - ${line.trim()}`),
    ...surplus(now, old).map((line) => `  + ${line.trim()}`),
  ];
  return titled(title, lines.length > 0 ? lines : ['  ~ other order']);
}

function surplus(lines: readonly string[], without: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of without) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function titled(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function listed<T>(entry: T | null): readonly T[] {
  return entry === null ? [] : [entry];
}

function sysctlText({ path, value }: PlanSysctl): string {
  return `${path} = ${value}`;
}

function linkText(link: PlanLink): string {
  if (link.kind === 'ifb') return `${link.device}: ifb`;
  if (link.kind === 'wireguard') return `${link.device}: WireGuard, MTU ${link.mtu}`;
  const size = link.mtu === null ? '' : `, MTU ${link.mtu}`;
  if (link.kind === 'bridge') return `${link.device}: bridge${size}`;
  const master = link.master === null ? '' : `, in bridge ${link.master}`;
  const kind = link.kind === 'vlan' ? `VLAN ${link.id} on ${link.parent}` : 'up';
  return `${link.device}: ${kind}${master}${size}${macText(link)}`;
}

function macText({ mac }: { mac?: string }): string {
  return mac === undefined ? '' : `, MAC ${mac}`;
}

function clientText(client: PlanDhcpClient): string {
  const { device, hostName, resolv } = client;
  const name = hostName === null ? '' : ` as ${hostName}`;
  return `${device}${name}${macText(client)}${resolv === null ? ', own name servers' : ''}`;
}

function routeText({ to, via, device, table }: PlanRoute): string {
  return [to, via && `via ${via}`, device && `dev ${device}`, table === 254 ? '' : `table ${table}`]
    .filter((part) => part)
    .join(' ');
}

function ruleText({ priority, from, oif, mark, table, suppressDefault }: PlanRule): string {
  const whose = oif === undefined ? (from === null ? 'all' : `from ${from}`) : `bound to ${oif}`;
  const marked = mark === null ? '' : ` mark ${mark.value}/${mark.mask}`;
  return `${priority}: ${whose}${marked} table ${table}${suppressDefault ? ' without default' : ''}`;
}

function lineText({ name, device, metric, fixed, table }: PlanWan): string {
  const address = fixed === null ? 'by DHCP' : `${fixed.address} via ${fixed.gateway}`;
  return `${name}: ${device}, ${address}, metric ${metric}, table ${table}`;
}

function tunnelText({ device, listenPort, peers }: PlanTunnel): string {
  return `${device}: port ${listenPort}, ${peers.length} peers`;
}

function shapeText({ device, classes }: PlanShape): string {
  return `${device}: ${classes.map(classText).join(', ')}`;
}

function classText({ minor, ceilKbps }: PlanClass): string {
  return `1:${minor.toString(16)} ${ceilKbps} kbit/s`;
}

function redirectText({ device, to }: PlanRedirect): string {
  return `${device} -> ${to}`;
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function scheduleText({ days: on, at, timeZone }: PlanSchedule): string {
  return `${on.map((day) => days[day]).join(', ')} at ${at}${timeZone === null ? '' : ` (${timeZone})`}`;
}
