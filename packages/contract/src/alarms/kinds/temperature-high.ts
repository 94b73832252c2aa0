import type { AlarmKindParts } from '../kind.ts';

export const temperatureHigh = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '°C',
  threshold: { min: 40, max: 120, worse: 'above' },
  presets: {
    quiet: ['MIDDLE', 1800, 95],
    normal: ['MIDDLE', 600, 90],
    strict: ['MIDDLE', 300, 80],
  },
} as const satisfies AlarmKindParts;
