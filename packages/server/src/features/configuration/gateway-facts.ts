import { gateway } from '@yunxun/contract';
import { type Capabilities, type EdgeFoundWan, edgeLimits } from '@yunxun/contract/device';
import type { ManagedDevice } from '../fleet/index.ts';
import { isEdge, socketsOf } from './compile/edge.ts';
import type { GatewayIntent } from './compile/index.ts';
import { usualPool } from './compile/lan.ts';

export function takesGatewaySettings(device: ManagedDevice): boolean {
  const capabilities = device.capabilities as Capabilities | null;
  return device.routes && isEdge({ device: { capabilities } });
}

export function portsOf(device: ManagedDevice | undefined): string[] {
  const names = Object.keys((device?.capabilities as Capabilities | null | undefined)?.network ?? {});
  return [...socketsOf(names, 'WAN'), ...socketsOf(names, 'LAN')];
}

export function mtusOf(device: ManagedDevice | undefined): { port: string; min: number; max: number }[] {
  const { yunxun } = (device?.capabilities ?? {}) as Capabilities;
  return Object.entries(yunxun?.mtus ?? {}).map(([port, { min, max }]) => ({ port, min, max }));
}

export function gatesOf(device: ManagedDevice | undefined): gateway.GatewayGate[] {
  if (!device) return ['no_gateway'];
  if (!device.capabilities) return ['never_connected'];
  if (!takesGatewaySettings(device)) return ['firmware'];
  const { abilities, allowed, mtus } = (device.capabilities as Capabilities).yunxun!;
  const lacks = (name: string) => abilities?.[name] !== true;
  const gates = Object.entries(gateway.abilityGates).filter(([name]) => lacks(name));
  return [
    ...gates.map(([, gate]) => gate),
    ...(allowed?.reboot === true ? [] : ['no_reboot' as const]),
    ...(mtus && !lacks('wanRoutes') ? [] : ['agent_outdated' as const]),
    ...gateway.servedServices.filter(lacks).map(gateway.serviceGate),
  ];
}

/** Proposes settings for the editor. `address`: LAN; `found`: WANs as the host runs them by itself. */
export function usualSettings(
  ports: readonly string[],
  address: string,
  found: readonly EdgeFoundWan[],
): GatewayIntent {
  const wans = socketsOf(ports, 'WAN').slice(0, edgeLimits.lines);
  const lans = socketsOf(ports, 'LAN');
  const uplinks = (wans.length > 0 ? wans : ['WAN1']).map((port, _at, all) =>
    wanOf(gateway.plainWan(all.length === 1 ? 'WAN' : port, port), found),
  );
  return {
    confirm_s: edgeLimits.confirm.otherwise,
    lines: uplinks,
    networks:
      ports.length > 0 && lans.length === 0
        ? []
        : [
            {
              name: 'LAN',
              address,
              vlan: null,
              ports: lans.length > 0 ? lans : ['LAN1'],
              tagged: [],
              pool: usualPool(address),
              leases: [],
            },
          ],
    forwards: [],
    routes: [],
    limits: [],
    reboot: null,
  };
}

function wanOf(wan: GatewayIntent['lines'][number], found: readonly EdgeFoundWan[]): GatewayIntent['lines'][number] {
  const own = found.find(({ port }) => port === wan.port);
  if (!own || own.dynamic) return wan;
  return { ...wan, addressing: 'static', address: own.address, gateway: own.gateway, dns: [...own.dns] };
}
