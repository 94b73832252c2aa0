import { edgeLimits, type ServedService, servedServices } from './device/edge-limits.ts';

// no schemas: screens import this
export { edgeDays, servedServices } from './device/edge-limits.ts';

export const lineAddressings = ['dynamic', 'static'] as const;
export type LineAddressing = (typeof lineAddressings)[number];

export const forwardProtocols = ['tcp', 'udp', 'any'] as const;
export type ForwardProtocol = (typeof forwardProtocols)[number];

export const limitKinds = ['mac', 'address', 'network'] as const;
export type LimitKind = (typeof limitKinds)[number];

export const abilityGates = {
  vlan: 'no_vlan',
  shaping: 'no_shaping',
  ifb: 'no_ifb',
  dhcpClient: 'no_dhcp_client',
  dnsmasq: 'no_dnsmasq',
} as const;

export function serviceGate<const S extends ServedService>(service: S): `no_${S}` {
  return `no_${service}`;
}
export const serviceGates = servedServices.map(serviceGate);

export const gatewayGates = [
  'no_gateway',
  'never_connected',
  'firmware',
  ...Object.values(abilityGates),
  'no_reboot',
  'agent_outdated',
  ...serviceGates,
] as const;
export type GatewayGate = (typeof gatewayGates)[number];

export const gatewayLimits = {
  lines: edgeLimits.lines,
  networks: edgeLimits.interfaces - edgeLimits.lines,
  staticLeases: edgeLimits.staticLeases,
  forwards: edgeLimits.portForwards,
  routes: edgeLimits.routes,
  rateLimits: edgeLimits.limits,
  nameLength: edgeLimits.name,
  dns: 4,
  probes: edgeLimits.probeAddresses,
  vlan: { min: 2, max: 4050 },
  lineVlan: edgeLimits.lineVlan,
  mtu: edgeLimits.mtu,
  linePrefix: edgeLimits.linePrefix,
  lanPrefix: edgeLimits.lanPrefix,
  poolCount: { min: 1, max: 2 ** 24 },
  leaseMinutes: { min: 2, max: 525_600, otherwise: 360 },
  rateMbps: { min: 1, max: 10_000 },
  /** Seconds. */
  confirm: edgeLimits.confirm,
} as const;

export function plainWan(name: string, port: string) {
  return {
    name,
    port,
    addressing: 'dynamic' as const,
    address: null,
    gateway: null,
    dns: [],
    down_mbps: null,
    up_mbps: null,
    probe: [],
  };
}
