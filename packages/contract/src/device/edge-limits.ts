export const edgeDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type EdgeDay = (typeof edgeDays)[number];

/** The agent answers them. */
export const servedServices = ['ntp'] as const;
export type ServedService = (typeof servedServices)[number];
export const edgeServices = ['ssh', ...servedServices] as const;
export type EdgeService = (typeof edgeServices)[number];

export const edgeLimits = {
  /** Seconds. */
  confirm: { min: 30, max: 600, otherwise: 60 },
  /** kbit/s */
  rate: { min: 64, max: 10_000_000 },
  probeEvery: { min: 1, max: 300, otherwise: 5 },
  probeFails: { min: 1, max: 20, otherwise: 3 },
  probeRecovers: { min: 1, max: 20, otherwise: 3 },
  probeAddresses: 4,
  /** Of an uplink address and of a network. */
  linePrefix: { min: 1, max: 32 },
  lanPrefix: { min: 8, max: 30 },
  lines: 8,
  lineVlan: { min: 1, max: 4094 },
  /** Bytes; the port may allow less. */
  mtu: { min: 576, max: 9216, otherwise: 1500 },
  limits: 256,
  routes: 256,
  flowRules: 1000,
  interfaces: 32,
  /** Per interface. */
  staticLeases: 1024,
  portForwards: 256,
  blocked: 1024,
  /** Characters. */
  name: 32,
} as const;
