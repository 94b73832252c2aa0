import { findTool, runTool } from '../apply/executor.ts';
import type { Abilities, Facts } from '../document/facts.ts';
import type { Places } from './places.ts';
import type { Ports } from './ports.ts';

export const neededTools = ['ip', 'nft'] as const;
const usefulTools = ['tc', 'bridge', 'dnsmasq', 'conntrack', 'tcpdump', 'ping', 'busybox'] as const;

export function missingTools(find: (name: string) => string | null = findTool): string[] {
  return [...neededTools, ...usefulTools].filter((name) => find(name) === null);
}

type Try = (...argv: [program: string, ...args: string[]]) => Promise<boolean>;

const tryTool: Try = async (...argv) => {
  const { code, stderr } = await runTool(argv);
  return code === 0 || /File exists/.test(stderr);
};

const probe = 'yx-probe';

/** One transaction that leaves nothing behind. */
const ratesProbe = (device: string) =>
  [
    `add table netdev ${device}`,
    `add map netdev ${device} down { type ether_addr : limit ; }`,
    `add chain netdev ${device} out { type filter hook egress device "${device}" priority 0 ; }`,
    `add rule netdev ${device} out limit name ether daddr map @down drop`,
    `delete table netdev ${device}`,
  ].join('; ');

const bridgeProbe = [
  `add table bridge ${probe}`,
  `add set bridge ${probe} seen { type ifname . ether_addr ; flags dynamic,timeout ; timeout 5m ; }`,
  `add chain bridge ${probe} in { type filter hook prerouting priority -300 ; }`,
  `add rule bridge ${probe} in ip saddr 192.0.2.1 update @seen { iifname . ether saddr }`,
  `add rule bridge ${probe} in icmpv6 type nd-router-advert drop`,
  `delete table bridge ${probe}`,
].join('; ');

/** Probes on a temporary device. `parent`: for the VLAN probe. */
export async function probeAbilities(
  parent: string | null,
  attempt: Try = tryTool,
  find: (name: string) => string | null = findTool,
): Promise<Abilities> {
  const gone = () => attempt('ip', 'link', 'del', 'dev', probe);
  await gone();
  const vlan =
    parent !== null &&
    (await attempt('ip', 'link', 'add', 'link', parent, 'name', probe, 'type', 'vlan', 'id', '4093'));
  await gone();
  const ifb = await attempt('ip', 'link', 'add', 'name', probe, 'type', 'ifb');
  if (!ifb) await attempt('ip', 'link', 'add', 'name', probe, 'type', 'bridge');
  const on = ['dev', probe] as const;
  const shaping = await attempt('tc', 'qdisc', 'add', ...on, 'root', 'handle', '1:', 'htb');
  await attempt('tc', 'class', 'add', ...on, 'parent', '1:', 'classid', '1:1', 'htb', 'rate', '1mbit');
  const fqCodel = shaping && (await attempt('tc', 'qdisc', 'add', ...on, 'parent', '1:1', 'fq_codel'));
  const captiveRates = await attempt('nft', ratesProbe(probe));
  const captiveBridge = await attempt('nft', bridgeProbe);
  await gone();
  const tunnels = await tunnelAbilities(attempt, find);
  const listed = find('busybox') === null ? '' : (await runTool(['busybox', '--list'])).stdout;
  return {
    vlan,
    shaping,
    ifb,
    fqCodel,
    captiveRates,
    captiveBridge,
    ...tunnels,
    dhcpClient: listed.split('\n').includes('udhcpc'),
    dnsmasq: find('dnsmasq') !== null,
    iperf: find('iperf3') !== null,
    nftset: find('dnsmasq') !== null && / nftset/.test((await runTool(['dnsmasq', '--version'])).stdout),
  };
}

/** Tries the kernel, then wireguard-go, which needs `/dev/net/tun` and a writable socket folder. */
async function tunnelAbilities(
  attempt: Try,
  find: (name: string) => string | null,
): Promise<Pick<Abilities, 'sdwan' | 'kernelTunnels'>> {
  if (find('wg') === null) return {};
  const kernelTunnels = await attempt('ip', 'link', 'add', 'name', probe, 'type', 'wireguard');
  const made = kernelTunnels || (find('wireguard-go') !== null && (await attempt('wireguard-go', probe)));
  await attempt('ip', 'link', 'del', 'dev', probe);
  return made ? { sdwan: true, ...(kernelTunnels ? { kernelTunnels } : {}) } : {};
}

/** Returns why SD-WAN is impossible; null if possible. */
export function noSdwanBecause({ sdwan }: Abilities, find: (name: string) => string | null = findTool): string | null {
  if (sdwan) return null;
  if (find('wg') === null) return 'wg is not installed (wireguard-tools)';
  return find('wireguard-go') === null
    ? 'the kernel has no WireGuard, and wireguard-go is not installed'
    : 'wireguard-go cannot run: it needs /dev/net/tun and a writable /run/wireguard';
}

export function factsOf(ports: Ports, abilities: Abilities, places: Places, mtus: Facts['mtus'] = {}): Facts {
  return { ports, abilities, mtus, folders: { run: places.run, state: places.state } };
}
