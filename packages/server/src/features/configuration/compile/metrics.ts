/** Intervals in seconds, 60 at least. */
export const accessPointMetrics = {
  statistics: { interval: 60, types: ['ssids', 'lldp', 'clients'] },
  health: { interval: 60 },
  realtime: { types: ['client', 'wired', 'health', 'wifi', 'unit'] },
} as const;

/** The Yunxun agent reports wired clients only. */
export const edgeMetrics = {
  statistics: { interval: 60, types: ['clients'] },
  health: { interval: 60 },
  realtime: { types: ['client', 'wired', 'health', 'unit'] },
} as const;

export const switchMetrics = {
  statistics: { interval: 60, types: ['lldp', 'clients'] },
  health: { interval: 60 },
} as const;

/** Seconds. No interface lists this service. */
export const fingerprintService = { mode: 'final', 'minimum-age': 60, 'maximum-age': 3600, periodicity: 600 } as const;
