/** The reports every access point and gateway is asked for (device-protocol 8.6); intervals in seconds. */
export const accessPointMetrics = {
  statistics: { interval: 60, types: ['ssids', 'lldp', 'clients'] },
  health: { interval: 60 },
  realtime: { types: ['client', 'wired', 'health', 'wifi', 'unit'] },
} as const;

/** The same for a gateway on our own agent: terminals on cables only. */
export const edgeMetrics = {
  statistics: { interval: 60, types: ['clients'] },
  health: { interval: 60 },
  realtime: { types: ['client', 'wired', 'health', 'unit'] },
} as const;

/** The same for a switch, which has no SSIDs. */
export const switchMetrics = {
  statistics: { interval: 60, types: ['lldp', 'clients'] },
  health: { interval: 60 },
} as const;

/** What terminals are, by how they speak; a service of its own, in no interface's list. Ages and period in seconds. */
export const fingerprintService = { mode: 'final', 'minimum-age': 60, 'maximum-age': 3600, periodicity: 600 } as const;
