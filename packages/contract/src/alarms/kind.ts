import type { AlarmLevel } from '../enums.ts';

/** `normal` are the built-in values. */
export const alarmPresets = ['quiet', 'normal', 'strict'] as const;
export type AlarmPreset = (typeof alarmPresets)[number];

/** `console`: about the installation, in the accounts of its administrators. */
export type AlarmSubject = 'device' | 'network' | 'account' | 'console';

/** `d`: days; `orders`, `messages`: counted. */
export type AlarmUnit = '' | '%' | '°C' | 'ms' | 'd' | 'Mbit/s' | 'orders' | 'messages';

export interface AlarmThreshold {
  min: number;
  max: number;
  /** Side of a problem. */
  worse: 'above' | 'below';
}

/** Values of the main rule; tolerance in seconds. */
type Values<T> = readonly [level: AlarmLevel, tolerance: number, threshold: T];

interface Parts<T extends number | null> {
  about: AlarmSubject;
  /** Alarms that may cause it: of a lost connection above it, or of a WAN that went down with it. */
  causedBy: 'connection' | 'wan' | null;
  /** Of its values. */
  unit: AlarmUnit;
  threshold: T extends number ? AlarmThreshold : null;
  /** Null: switched off. */
  presets: Readonly<Record<Exclude<AlarmPreset, 'quiet'>, Values<T>>> & { readonly quiet: Values<T> | null };
}

/** All of a kind but its texts and its source. */
export type AlarmKindParts = Parts<number> | Parts<null>;
