import type { AlarmKindParts } from '../kind.ts';

export const sdwanDown = {
  group: 'internet',
  about: 'device',
  causedBy: 'wan',
  unit: '',
  threshold: null,
  presets: {
    quiet: ['FATAL', 600, null],
    normal: ['FATAL', 60, null],
    strict: ['FATAL', 0, null],
  },
} as const satisfies AlarmKindParts;
