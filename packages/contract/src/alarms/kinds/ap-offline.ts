import type { AlarmKindParts } from '../kind.ts';

export const apOffline = {
  group: 'offline',
  about: 'device',
  causedBy: 'connection',
  unit: '',
  threshold: null,
  presets: {
    quiet: ['MIDDLE', 1800, null],
    normal: ['MIDDLE', 300, null],
    strict: ['MIDDLE', 120, null],
  },
} as const satisfies AlarmKindParts;
