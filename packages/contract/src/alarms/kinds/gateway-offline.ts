import type { AlarmKindParts } from '../kind.ts';

export const gatewayOffline = {
  group: 'offline',
  about: 'device',
  causedBy: 'connection',
  unit: '',
  threshold: null,
  presets: {
    quiet: ['FATAL', 600, null],
    normal: ['FATAL', 180, null],
    strict: ['FATAL', 60, null],
  },
} as const satisfies AlarmKindParts;
