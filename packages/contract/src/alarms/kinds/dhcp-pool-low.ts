import type { AlarmKindParts } from '../kind.ts';

export const dhcpPoolLow = {
  group: 'service',
  about: 'device',
  causedBy: null,
  unit: '%',
  threshold: { min: 50, max: 100, worse: 'above' },
  presets: {
    quiet: ['MIDDLE', 1800, 98],
    normal: ['MIDDLE', 600, 90],
    strict: ['MIDDLE', 300, 80],
  },
} as const satisfies AlarmKindParts;
