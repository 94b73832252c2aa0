import type { backup, gateway } from '@yunxun/contract';
import { holds, readAddress, readSubnet, type Subnet } from '@yunxun/contract/ipv4';

type Settings = gateway.GatewaySettings;
type Dropped = backup.NotRestored;

export function portsNamed({ lines: wans, networks }: Settings): string[] {
  const all = [...wans.map(({ port }) => port), ...networks.flatMap(({ ports, tagged }) => [...ports, ...tagged])];
  return [...new Set(all)];
}

/** Keeps present ports, else the next free of the kind, else none. Unknown ones count as present. */
export function usualMap(named: readonly string[], there: readonly string[]): backup.PortMap {
  if (there.length === 0) return named.map((port) => ({ from: port, to: port }));
  const free = there.filter((port) => !named.includes(port));
  return named.map((from) => {
    if (there.includes(from)) return { from, to: from };
    const at = free.findIndex((port) => port.slice(0, 3) === from.slice(0, 3));
    return { from, to: at < 0 ? null : (free.splice(at, 1)[0] ?? null) };
  });
}

export function onPorts(settings: Settings, map: backup.PortMap): { settings: Settings; dropped: Dropped[] } {
  const places = new Map(map.map(({ from, to }) => [from, to]));
  const dropped: Dropped[] = [];
  const moved = (port: string) => (places.has(port) ? (places.get(port) ?? null) : port);
  const wans = settings.lines.flatMap((wan) => {
    const port = moved(wan.port);
    if (port !== null) return [{ ...wan, port }];
    dropped.push({ what: 'line_dropped', params: { name: wan.name, port: wan.port } });
    return [];
  });
  const gone: Subnet[] = [];
  const networks = settings.networks.flatMap((network) => {
    const [ports, tagged] = [network.ports, network.tagged].map((list) =>
      list.flatMap((from) => {
        const to = moved(from);
        if (to !== null) return [to];
        dropped.push({ what: 'port_dropped', params: { port: from, name: network.name } });
        return [];
      }),
    ) as [string[], string[]];
    if (ports.length + tagged.length > 0) return [{ ...network, ports, tagged }];
    dropped.push({ what: 'network_dropped', params: { name: network.name } });
    const host = readSubnet(network.address);
    if (host) gone.push(host);
    return [];
  });
  const names = new Set(networks.map(({ name }) => name));
  const lostWans = settings.lines.filter(({ port }) => moved(port) === null);
  for (const { addressing, address } of lostWans) {
    const host = addressing === 'static' && address ? readSubnet(address) : null;
    if (host) gone.push(host);
  }
  const lost = (text: string) => {
    const address = readAddress(text);
    return address !== null && gone.some((host) => holds(host, address));
  };
  const forwards = settings.forwards.filter(({ address, port }) => {
    if (lost(address)) dropped.push({ what: 'forward_dropped', params: { port, address } });
    return !lost(address);
  });
  const routes = settings.routes.filter(({ to, via }) => {
    const out = lost(via) || lostWans.some(({ name }) => name === via);
    if (out) dropped.push({ what: 'route_dropped', params: { to } });
    return !out;
  });
  const limits = settings.limits.filter(({ kind, name, target }) => {
    const out = kind === 'network' ? !names.has(target) : kind === 'address' && lost(target);
    if (out) dropped.push({ what: 'limit_dropped', params: { name } });
    return !out;
  });
  return { settings: { ...settings, lines: wans, networks, forwards, routes, limits }, dropped };
}
