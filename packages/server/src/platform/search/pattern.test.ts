import { expect, it } from 'vitest';
import { macContaining } from './pattern.ts';

it.each([
  ['53:49:4', '%53494%'],
  ['5349.4d18', '%53494d18%'],
  ['5349-4D18', '%53494d18%'],
  ['534949-4d18', '%5349494d18%'],
  ['Cafe', '%cafe%'],
])('reads %j as a part of a MAC', (text, pattern) => expect(macContaining(text)).toBe(pattern));

it.each(['10.0', '10.0.3', 'b-2', '2001:db8', '1.0.4', '53:494d:18', 'a'])('reads no MAC in %j', (text) =>
  expect(macContaining(text)).toBeNull(),
);
