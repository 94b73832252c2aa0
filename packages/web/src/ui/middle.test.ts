import { expect, test } from 'vitest';
import { clipMiddle, halvesOf } from './middle.ts';

const within = (length: number) => (text: string) => [...text].length <= length;

test('a name that fits stays whole', () => {
  expect(clipMiddle('Lobby-AP', within(8))).toBe('Lobby-AP');
});

test('a long name loses its middle, and keeps the end that tells it apart', () => {
  const names = ['Riverside-Hotel-Tower-A-Floor-12-AP-01', 'Riverside-Hotel-Tower-A-Floor-12-AP-02'];
  expect(names.map((name) => clipMiddle(name, within(20)))).toEqual(['Riverside-H…12-AP-01', 'Riverside-H…12-AP-02']);
  expect(clipMiddle('杭州西湖区文三路门店三楼会议室AP', within(9))).toBe('杭州西湖…议室AP');
});

test('nothing but the first sign stays where there is no room', () => {
  expect(clipMiddle('Lobby-AP', within(2))).toBe('L…');
  expect(clipMiddle('', within(2))).toBe('');
});

test('the halves are the name, and no sign is split', () => {
  for (const name of ['', 'AP', 'Lobby-AP', '杭州西湖店-前台', 'Café 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦 AP 3']) {
    const [head, tail] = halvesOf(name);
    expect(head + tail).toBe(name);
  }
  expect(halvesOf('ab👩‍👩‍👧‍👦')).toEqual(['ab', '👩‍👩‍👧‍👦']);
  expect(halvesOf('AP')).toEqual(['AP', '']);
});
