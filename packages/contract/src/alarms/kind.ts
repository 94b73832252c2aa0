import type { AlarmLevel } from '../enums.ts';

/** `normal` are the built-in values. */
export const alarmPresets = ['quiet', 'normal', 'strict'] as const;
export type AlarmPreset = (typeof alarmPresets)[number];

/** In the order of screens. */
export const alarmGroups = ['offline', 'internet', 'health', 'configuration', 'service', 'platform'] as const;
export type AlarmGroup = (typeof alarmGroups)[number];

/** `console`: about the installation, in the accounts of its administrators. */
export type AlarmSubject = 'device' | 'network' | 'account' | 'console';

/** `d`: days; `orders`, `messages`: counted. */
export type AlarmUnit = '' | '%' | '°C' | 'ms' | 'd' | 'Mbit/s' | 'orders' | 'messages';

export interface AlarmThreshold {
  min: number;
  max: number;
  worse: 'above' | 'below';
}

/** Tolerance in seconds. */
type Values<T> = readonly [level: AlarmLevel, tolerance: number, threshold: T];

interface Parts<T extends number | null> {
  group: AlarmGroup;
  about: AlarmSubject;
  /** Of a lost connection above it, or a WAN that went down with it. */
  causedBy: 'connection' | 'wan' | null;
  unit: AlarmUnit;
  threshold: T extends number ? AlarmThreshold : null;
  /** Null: switched off. */
  presets: Readonly<Record<Exclude<AlarmPreset, 'quiet'>, Values<T>>> & { readonly quiet: Values<T> | null };
}

export type AlarmKindParts = Parts<number> | Parts<null>;
