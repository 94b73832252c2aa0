import { describe, expect, it } from 'vitest';
import { readingsByKey, readSettings } from './setting-labels.ts';

const { places, labels } = readSettings();

const shownIn = (text: string) =>
  labels
    .filter(([zh, en]) => zh.includes(text) || en.includes(text))
    .flatMap(([, , , at]) => at.map((one) => places[one]!.join(' ')));

describe('labels of forms', () => {
  it.each([
    ['国家', '/network/$gwid wireless'],
    ['Country code', '/config/template_wireless/ac '],
    ['外网线路', '/network/$gwid gateway'],
    ['WAN uplinks', '/network/$gwid gateway'],
    ['最低信号强度', '/config/template_wireless/ac '],
    ['静默至', '/alarm list'],
    ['容忍时间', '/alarm rules'],
    ['每周维护时段', '/network/$gwid settings'],
    ['Quiet hours', '/alarm_subscribe list'],
  ])('%s are found with the screen and tab that show them', (text, place) => {
    expect(shownIn(text)).toContain(place);
  });

  it('are names, in both languages, without placeholders', () => {
    expect(labels.length).toBeGreaterThan(300);
    for (const [zh, en] of labels) expect([zh, en].filter((text) => /[{}]|[。.]$|^$/.test(text))).toEqual([]);
  });

  it('have their pinyin, initials and whole', () => {
    const [, , readings] = labels.find(([zh]) => zh === '外网线路')!;
    expect(readings).toBe('wwxl waiwangxianlu');
    expect(readingsByKey({ a: '报警 alarm', b: 'alarm' })).toEqual({ a: 'bj baojing' });
  });
});
