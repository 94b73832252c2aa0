import { expect, test } from 'vitest';
import { partsOf, rankOf, sameWords } from './found.ts';

test.each([
  ['国家', ['国家或地区码', 'Country code'], '', 1],
  ['country code', ['国家或地区码', 'Country code'], '', 0],
  ['地区', ['国家或地区码'], '', 2],
  ['guojia', ['国家'], 'gj guojia', 0],
  ['gj', ['国家'], 'gj guojia', 0],
  ['wai', ['国家'], 'gj guojia', null],
  ['', ['国家'], '', null],
])('%s in %j ranks %#', (word, texts, readings, rank) => {
  expect(rankOf(word, texts, readings)).toBe(rank);
});

test('other words for a term are tried in its place', () => {
  expect(sameWords('信号阈值', '告警,报警|阈值,门限,最低')).toEqual(['信号门限', '信号最低']);
  expect(sameWords('WAN speed', 'wan,internet|x,y')).toEqual(['internet speed']);
  expect(sameWords('lobby', 'wan,internet')).toEqual([]);
});

test.each([
  ['信号阈值', ['信号', '号阈', '阈值']],
  ['信号', []],
  ['WAN 阈值', ['WAN', '阈值']],
  ['AP信号', ['信号']],
  ['signal threshold', ['signal', 'threshold']],
  ['signal', []],
])('the parts of %s are %j', (word, parts) => {
  expect(partsOf(word)).toEqual(parts);
});
