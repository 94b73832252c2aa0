import type { AlarmKindParts } from '../kind.ts';

export const configFailed = {
  group: 'configuration',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: ['MIDDLE', 0, null],
    normal: ['MIDDLE', 0, null],
    strict: ['MIDDLE', 0, null],
  },
} as const satisfies AlarmKindParts;
