import type { AlarmKindParts } from '../kind.ts';

export const configDrifted = {
  group: 'configuration',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 3600, null],
    normal: ['GENERAL', 600, null],
    strict: ['GENERAL', 0, null],
  },
} as const satisfies AlarmKindParts;
