import type { AlarmKindParts } from '../kind.ts';

export const portSlow = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: 'Mbit/s',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 3600, null],
    normal: ['GENERAL', 600, null],
    strict: ['MIDDLE', 300, null],
  },
} as const satisfies AlarmKindParts;
