import type { AlarmKindParts } from '../kind.ts';

export const backupOverdue = {
  group: 'configuration',
  about: 'network',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 86_400, null],
    normal: ['GENERAL', 10_800, null],
    strict: ['MIDDLE', 3600, null],
  },
} as const satisfies AlarmKindParts;
