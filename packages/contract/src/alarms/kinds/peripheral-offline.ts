import type { AlarmKindParts } from '../kind.ts';

export const peripheralOffline = {
  group: 'offline',
  about: 'device',
  causedBy: 'connection',
  unit: '',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 3600, null],
    normal: ['GENERAL', 600, null],
    strict: ['MIDDLE', 300, null],
  },
} as const satisfies AlarmKindParts;
