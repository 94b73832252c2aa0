import { execFileSync } from 'node:child_process';

/** Resets to boot state: a restart keeps addresses, routes, rules and filters. */
export function resetNetwork(namespace: string): void {
  const ip = (...args: string[]) => inNamespace(namespace, 'ip', ...args);
  const links = JSON.parse(ip('-j', '-d', 'link')) as { ifname: string; linkinfo?: { info_kind?: string } }[];
  const kindOf = (link: (typeof links)[number]) => link.linkinfo?.info_kind;
  for (const link of links) {
    if (link.ifname === 'lo') continue;
    if (kindOf(link) === 'veth') {
      ip('link', 'set', 'dev', link.ifname, 'down', 'nomaster');
      ip('addr', 'flush', 'dev', link.ifname);
      for (const parent of ['root', 'ingress']) quietly(namespace, 'tc', 'qdisc', 'del', 'dev', link.ifname, parent);
    } else quietly(namespace, 'ip', 'link', 'del', 'dev', link.ifname);
  }
  for (const family of ['-4', '-6']) {
    ip(family, 'route', 'flush', 'table', 'all');
    ip(family, 'rule', 'flush');
    for (const [priority, table] of [
      ['0', 'local'],
      ['32766', 'main'],
      ['32767', 'default'],
    ] as const) {
      quietly(namespace, 'ip', family, 'rule', 'add', 'priority', priority, 'table', table);
    }
  }
  // down: loopback routes appear with its address
  ip('link', 'set', 'dev', 'lo', 'down');
  inNamespace(namespace, 'nft', 'flush', 'ruleset');
  quietly(namespace, 'conntrack', '-F');
  inNamespace(namespace, 'sysctl', '-qw', 'net.ipv4.ip_forward=0');
}

function inNamespace(namespace: string, ...argv: string[]): string {
  return execFileSync('ip', ['netns', 'exec', namespace, ...argv], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Ignores failures: the state may be reached. */
function quietly(namespace: string, ...argv: string[]): void {
  try {
    inNamespace(namespace, ...argv);
  } catch {
    // already so
  }
}
