import { expect, it } from 'vitest';
import { alarmNames, alarmSentences } from '../../messages/alarm-kinds-zh-cn.ts';
import type { AlarmKindParts } from '../kind.ts';
import { type AlarmNameKey, type AlarmSentenceKey, alarmKinds, kindParts } from './index.ts';
import { memoryHigh } from './memory-high.ts';

it('refuses a kind that leaves out a part', () => {
  const { group, about, causedBy, unit, threshold, presets } = memoryHigh;
  const { strict: _strict, ...twoPresets } = presets;
  const { 'alarm.kind_memory_high': _name, ...names } = alarmNames;
  const { 'alarm.memory_high': _sentence, ...sentences } = alarmSentences;
  const whole: AlarmKindParts = { group, about, causedBy, unit, threshold, presets };
  const partial: unknown[] = [
    // @ts-expect-error without its place among the rules
    { about, causedBy, unit, threshold, presets } satisfies AlarmKindParts,
    // @ts-expect-error without what it is about
    { group, causedBy, unit, threshold, presets } satisfies AlarmKindParts,
    // @ts-expect-error without its causes
    { group, about, unit, threshold, presets } satisfies AlarmKindParts,
    // @ts-expect-error without a unit
    { group, about, causedBy, threshold, presets } satisfies AlarmKindParts,
    // @ts-expect-error without a threshold, or null
    { group, about, causedBy, unit, presets } satisfies AlarmKindParts,
    // @ts-expect-error without presets
    { group, about, causedBy, unit, threshold } satisfies AlarmKindParts,
    // @ts-expect-error without one of them
    { group, about, causedBy, unit, threshold, presets: twoPresets } satisfies AlarmKindParts,
    // @ts-expect-error presets have thresholds, the kind has none
    { group, about, causedBy, unit, threshold: null, presets } satisfies AlarmKindParts,
    // @ts-expect-error without a name
    names satisfies Readonly<Record<AlarmNameKey, string>>,
    // @ts-expect-error without a sentence
    sentences satisfies Readonly<Record<AlarmSentenceKey, string>>,
  ];
  expect(partial).not.toContainEqual(whole);
});

it.each(alarmKinds)('keeps the presets of %s within its threshold', (kind) => {
  const { threshold, presets } = kindParts[kind];
  const values = Object.values(presets).flatMap((preset) => (preset ? [preset[2]] : []));
  if (threshold === null) expect(new Set(values)).toEqual(new Set([null]));
  else
    for (const value of values)
      expect(value === null || value < threshold.min || value > threshold.max, `${value}`).toBe(false);
});
