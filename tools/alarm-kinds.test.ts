import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alarmKinds, kindParts } from '@yunxun/contract/alarm-kinds';
import { catalogues, type Locale } from '@yunxun/contract/messages';
import { expect, it } from 'vitest';

const words: Record<Locale, Record<'and' | 'off' | 'now' | 'hours' | 'minutes' | 'days' | 'below', string>> = {
  en: { and: ', ', off: 'off', now: 'at once', hours: 'h', minutes: 'min', days: 'days', below: 'below ' },
  'zh-CN': { and: '，', off: '停用', now: '立即', hours: '小时', minutes: '分钟', days: '天', below: '低于 ' },
};

/** Returns name and presets, as a row of the table has them. */
function rowOf(kind: (typeof alarmKinds)[number], locale: Locale): string[] {
  const { and, off, now, hours, minutes, days, below } = words[locale];
  const { presets, threshold: bounds, unit } = kindParts[kind];
  const cells = (['quiet', 'normal', 'strict'] as const).map((preset) => {
    const values = presets[preset];
    if (values === null) return off;
    const [level, tolerance, threshold] = values;
    const time = tolerance % 3600 === 0 ? `${tolerance / 3600} ${hours}` : `${tolerance / 60} ${minutes}`;
    const side = bounds?.worse === 'below' ? below : '';
    const value = threshold === null ? [] : [`${side}${threshold} ${unit === 'd' ? days : unit}`.trim()];
    return [level, tolerance === 0 ? now : time, ...value].join(and);
  });
  return [catalogues[locale][`alarm.kind_${kind}`], ...cells];
}

it.each(Object.keys(words) as Locale[])('lists every kind of alarm with its presets in docs/alarms.%s.md', (locale) => {
  const text = readFileSync(join(import.meta.dirname, `../docs/alarms.${locale}.md`), 'utf8');
  const rows = text.split('\n').flatMap((line) => {
    const [, name, source, ...presets] = line.split('|').map((cell) => cell.trim());
    // a name may be explained in brackets
    return presets.length === 4 && source && !/^(-+|Source|来源)$/.test(source)
      ? [[name!.split(/ ?[(（]/)[0]!, ...presets.slice(0, 3)]]
      : [];
  });
  expect(rows).toEqual(alarmKinds.map((kind) => rowOf(kind, locale)));
});
