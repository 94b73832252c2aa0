import { asList, asNumber, asRecord, asText } from '@yunxun/contract/device';
import type { Plan } from '../render/plan.ts';
import { readSetting, runTool } from './executor.ts';
import { type ForeignRoute, type PortBefore, portsOf, type Snapshot } from './ownership.ts';
import type { ToolResult } from './step.ts';

export type TakeSnapshot = (plan: Plan) => Promise<Snapshot>;

export type Ask = (argv: readonly [program: string, ...args: string[]]) => Promise<ToolResult>;

export function machineSnapshot(
  ask: Ask = runTool,
  setting: (path: string) => string | null = readSetting,
): TakeSnapshot {
  return async (plan) => {
    const [links, addresses, routes] = await Promise.all([
      ask(['ip', '-j', 'link', 'show']),
      ask(['ip', '-j', '-4', 'addr', 'show']),
      ask(['ip', '-j', '-4', 'route', 'show', 'table', 'main']),
    ]);
    const settings: Record<string, string> = {};
    for (const { path } of plan.sysctls) {
      // new devices start with the defaults
      const value = setting(path) ?? setting(path.replace(/\/conf\/[^/]+\//, '/conf/default/'));
      if (value !== null) settings[path] = value;
    }
    return {
      settings,
      addresses: readAddresses(parse(addresses)),
      ports: readPorts(parse(links), portsOf(plan)),
      defaults: readDefaults(parse(routes)),
    };
  };
}

function parse({ stdout }: ToolResult): readonly unknown[] {
  try {
    return asList(JSON.parse(stdout));
  } catch {
    return [];
  }
}

export function readAddresses(devices: readonly unknown[]): string[] {
  return devices.flatMap((entry) => {
    const device = asRecord<{ ifname: string; addr_info: unknown }>(entry);
    return asList(device.addr_info).flatMap((one) => {
      const { local, prefixlen } = asRecord<{ local: string; prefixlen: number }>(one);
      return typeof local === 'string' ? [`${asText(device.ifname)} ${local}/${asNumber(prefixlen) ?? 32}`] : [];
    });
  });
}

export function readPorts(devices: readonly unknown[], names: readonly string[]): Record<string, PortBefore> {
  const wanted = new Set(names);
  const ports: Record<string, PortBefore> = {};
  for (const entry of devices) {
    const { ifname, master, mtu, address } = asRecord<Record<'ifname' | 'master' | 'mtu' | 'address', unknown>>(entry);
    if (typeof ifname !== 'string' || !wanted.has(ifname)) continue;
    const mac = asText(address, 17)?.toLowerCase() ?? null;
    ports[ifname] = { master: asText(master, 15), mtu: asNumber(mtu) ?? 1500, ...(mac !== null && { mac }) };
  }
  return ports;
}

export function readDefaults(routes: readonly unknown[]): ForeignRoute[] {
  return routes.flatMap((entry) => {
    const route = asRecord<Record<'dst' | 'dev' | 'gateway' | 'metric' | 'protocol' | 'prefsrc', unknown>>(entry);
    const device = asText(route.dev, 15);
    const protocol = asText(String(route.protocol ?? 'boot'), 16) ?? 'boot';
    if (route.dst !== 'default' || device === null || protocol === '201') return [];
    const [via, source] = [asText(route.gateway, 15), asText(route.prefsrc, 15)];
    return [{ device, via, metric: asNumber(route.metric) ?? 0, protocol, source }];
  });
}
