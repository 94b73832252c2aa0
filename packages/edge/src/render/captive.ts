import { isIPv4 } from 'node:net';
import { type EdgeCaptive, edgeCaptiveLimits } from '@yunxun/contract/device';
import type { Facts } from '../document/facts.ts';
import { bridgeText, captiveTable, routerMessages, setTables } from './captive-bridge.ts';

export { captiveTable, noCaptiveBridge } from './captive-bridge.ts';

import { outsideRules, outsidersSet, rangesOf } from './captive-ranges.ts';
import { addressWithPrefix, domainName, hex, httpsAddress, mac, quotedDevice, setOf, v4, v6, whole } from './encode.ts';
import { devicesOf, rule } from './firewall.ts';
import { betweenMark } from './marks.ts';
import type { PlanCaptive } from './plan.ts';
import type { Lan } from './wiring.ts';

export const noCaptive = `table ${captiveTable}\ndelete table ${captiveTable}\n`;

/** Of answered addresses in the walled garden. */
const kept = { days: 1, entries: 16_384 } as const;

interface Page {
  host: string;
  port: number;
}

export function pageOf({ page }: Pick<EdgeCaptive, 'page'>): Page {
  const { hostname, port, protocol } = new URL(page);
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

const capturedLans = (captive: EdgeCaptive, lans: readonly Lan[]) =>
  lans.filter(({ name: own, subnet }) => subnet !== null && captive.interfaces.includes(own));

export function planCaptive(
  captive: EdgeCaptive | null,
  lans: readonly Lan[],
  { abilities }: Pick<Facts, 'abilities'>,
): PlanCaptive | null {
  if (captive === null) return null;
  const captured = capturedLans(captive, lans);
  const bridges = abilities.captiveBridge ? bridgeText(captive, captured) : '';
  const bridged = bridges === '' ? [] : devicesOf(captured.filter(({ ports }) => ports.length > 1));
  return {
    nft: `${tableText(captive, captured, bridged)}${bridges}`,
    garden: captive.garden,
    ...(captive.pay ? { pay: captive.pay } : {}),
    page: captive.page,
    secret: captive.secret,
    networks: captured.flatMap(({ subnet }) => (subnet ? [addressWithPrefix(subnet)] : [])),
    devices: captured.map(({ device }) => device).toSorted(),
    ...(captive.away ? { away: captive.away } : {}),
    ...(captive.api === undefined ? {} : { relays: true }),
    ...(bridges === '' ? {} : { bridges: true }),
  };
}

/** VLAN networks reach nothing else on the gateway. */
export function captiveInput(captive: EdgeCaptive | null, lans: readonly Lan[]): string[] {
  if (captive === null) return [];
  const from = devicesOf(capturedLans(captive, lans).filter(({ vlan }) => vlan !== 0));
  return rule(from, (set) => `iifname ${set} tcp dport ${portsOf(captive)} accept`);
}

const portsOf = ({ api }: EdgeCaptive) =>
  setOf([edgeCaptiveLimits.port, ...(api === undefined ? [] : [edgeCaptiveLimits.relayPort])].map(whole));

/** None with ranges: clients outside of them would ask too, and be told to sign in. */
export function apiOf(captive: EdgeCaptive | null, { name }: Pick<Lan, 'name'>): string | null {
  if (captive?.api === undefined || !captive.interfaces.includes(name)) return null;
  return rangesOf(captive, name).length > 0 ? null : httpsAddress(captive.api);
}

export function captiveNames(captive: EdgeCaptive | null): string[] {
  if (captive === null) return [];
  const { host } = pageOf(captive);
  const named = isIPv4(host) ? [] : [nftset(host.toLowerCase(), 'portal')];
  const garden = captive.garden.filter((entry) => !isIPv4(entry));
  // only the set of the longest domain is filled
  const isOpen = (host: string) => captive.garden.some((domain) => host === domain || host.endsWith(`.${domain}`));
  const pay = (captive.pay ?? []).filter((host) => !isOpen(host));
  const lines = [
    ...named,
    ...garden.map((domain) => nftset(domain, 'garden')),
    ...pay.map((domain) => nftset(domain, 'pay')),
  ];
  // cached answers fill no set
  return lines.length === 0 ? [] : [...lines, 'max-cache-ttl=60'];
}

const nftset = (domain: string, set: string) =>
  `nftset=/${domainName(domain)}/4#${captiveTable.replace(' ', '#')}#${set}`;

function tableText(captive: EdgeCaptive, captured: readonly Lan[], bridged: readonly string[]): string {
  const { host, port } = pageOf(captive);
  const from = devicesOf(captured);
  const { exempt_macs: macs, exempt_addresses: addresses, exempt_ipv6: addresses6 = [] } = captive;
  const outside = captured.flatMap((lan) => outsideRules(captive, lan, [quotedDevice(lan.device)]));
  const isRanged = outside.length > 0;
  const passOutside = isRanged ? ['\tjump outside'] : [];
  const toPage = `ip daddr ${isIPv4(host) ? v4(host) : '@portal'} tcp dport ${whole(port)}`;
  const page = `${toPage} accept`;
  const relayed = captive.api === undefined ? [] : [`${toPage} redirect to :${whole(edgeCaptiveLimits.relayPort)}`];
  const redirector = whole(edgeCaptiveLimits.port);
  // with br_netfilter loaded, frames between the ports of a bridge come by too
  const between = bridged.map(
    (device) => `\tiifname ${device} oifname ${device} meta mark and ${hex(betweenMark)} != 0 accept`,
  );
  const base = (hook: string, type: string, priority: number, jump: string, first: readonly string[] = []) => [
    `\ttype ${type} hook ${hook} priority ${priority}; policy accept;`,
    ...first,
    ...rule(from, (set) => `iifname ${set} jump ${jump}`),
  ];
  const chains: Record<string, readonly string[]> = {
    exempt: [
      '\tether saddr @guests accept',
      '\tmeta nfproto @away accept',
      ...rule(macs.map(mac), (set) => `ether saddr ${set} accept`),
      ...rule(addresses.map(v4), (set) => `ip saddr ${set} accept`),
      ...rule(addresses6.map(v6), (set) => `ip6 saddr ${set} accept`),
    ],
    ...(isRanged ? { outside: [...outside, '\tmeta nfproto ipv6 iifname . ether saddr @outsiders accept'] } : {}),
    // even of guests who are in: others would get past through them
    advertised: [
      ...rule(macs.map(mac), (set) => `ether saddr ${set} accept`),
      ...(isRanged ? ['\tiifname . ether saddr @outsiders accept'] : []),
      '\tdrop',
    ],
    open: [
      ...(captive.pay ? ['\tether saddr @payers ip daddr @pay tcp dport 443 accept'] : []),
      '\tip daddr @garden accept',
      ...rule(captive.garden.filter((entry) => isIPv4(entry)).map(v4), (set) => `ip daddr ${set} accept`),
      `\t${page}`,
    ],
    // other resolvers fill no set
    captured: [
      ...relayed.map((line) => `\tether saddr @guests ${line}`),
      '\tjump exempt',
      ...passOutside,
      '\tmeta nfproto ipv4 udp dport 53 redirect to :53',
      '\tmeta nfproto ipv4 tcp dport 53 redirect to :53',
      ...relayed.map((line) => `\t${line}`),
      '\tjump open',
      `\tmeta nfproto ipv4 tcp dport 80 redirect to :${redirector}`,
    ],
    // a browser that gets no answer waits 20 s before it looks for the sign-in
    gated: [
      '\tjump exempt',
      ...passOutside,
      // IPv6 in IPv4, to a relay in the garden
      '\tmeta l4proto 41 drop',
      '\tjump open',
      '\ttcp dport 443 reject with tcp reset',
      '\tdrop',
    ],
    hosted: [
      `\t${routerMessages} jump advertised`,
      '\tjump exempt',
      ...passOutside,
      '\tudp dport { 53, 67 } accept',
      '\ttcp dport 53 accept',
      `\ttcp dport ${portsOf(captive)} accept`,
      '\tmeta l4proto { 1, 58 } accept',
      '\tct state established,related accept',
      '\tdrop',
    ],
    // before the chains of table inet yunxun
    capture: base('prerouting', 'nat', -110, 'captured'),
    gate: base('forward', 'filter', -5, 'gated', between),
    host: base('input', 'filter', -5, 'hosted'),
  };
  const set = (own: string, lines: readonly string[]) => [`set ${own} {`, ...lines.map((line) => `\t${line}`), '}'];
  const answered = ['type ipv4_addr', 'flags timeout', `timeout ${kept.days}d`, `size ${kept.entries}`];
  const timedMacs = ['type ether_addr', 'flags timeout', `size ${2 * edgeCaptiveLimits.guests}`];
  const sets = [
    ...set('guests', timedMacs),
    ...set('away', ['typeof meta nfproto', 'flags timeout']),
    ...set('garden', answered),
    ...set('portal', answered),
    ...(captive.pay ? [...set('pay', answered), ...set('payers', timedMacs)] : []),
    ...(isRanged ? outsidersSet : []),
  ];
  const written = Object.entries(chains).flatMap(([own, lines]) => [`chain ${own} {`, ...lines, '}']);
  return `${tableOf(sets)}flush table ${captiveTable}\n${tableOf(written)}`;
}

function tableOf(lines: readonly string[]): string {
  return `table ${captiveTable} {\n${lines.map((line) => `\t${line}\n`).join('')}}\n`;
}

/** Opens the networks for all clients for `seconds`, or closes them again. */
export function openForAll(seconds: number | null, bridged = false): string {
  const elements = (verb: 'add' | 'delete', more = '') =>
    setTables(bridged)
      .map(
        ({ table, families }) =>
          `${verb} element ${table} away { ${families.map((one) => `${one}${more}`).join(', ')} }\n`,
      )
      .join('');
  const closed = elements('add') + elements('delete');
  return seconds === null ? closed : `${closed}${elements('add', ` timeout ${whole(seconds)}s`)}`;
}

/** `seconds` null: no limit. */
export interface Admission {
  mac: string;
  seconds: number | null;
}

const element = (verb: 'add' | 'delete', text: string, bridged: boolean) =>
  setTables(bridged)
    .map(({ table }) => `${verb} element ${table} guests { ${text} }\n`)
    .join('');

/** The kernel refuses to delete an absent element. */
const without = (own: string, bridged: boolean) => `${element('add', own, bridged)}${element('delete', own, bridged)}`;

/** Removes first: the kernel keeps the time of a present element. */
export function admit(clients: readonly Admission[], bridged = false): string {
  return clients
    .map((client) => {
      const own = mac(client.mac);
      const timed = client.seconds === null ? own : `${own} timeout ${whole(Math.max(1, client.seconds))}s`;
      return `${without(own, bridged)}${element('add', timed, bridged)}`;
    })
    .join('');
}

export function admitPayer(client: string, seconds: number): string {
  const own = mac(client);
  const change = (verb: 'add' | 'delete', text: string) => `${verb} element ${captiveTable} payers { ${text} }\n`;
  return `${change('add', own)}${change('delete', own)}${change('add', `${own} timeout ${whole(seconds)}s`)}`;
}

export function expel(macs: readonly string[], bridged = false): string {
  return macs.map((one) => without(mac(one), bridged)).join('');
}
