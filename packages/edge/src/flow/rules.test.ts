import { applicationCategories } from '@yunxun/contract/device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInRules } from '../../rules/categories.ts';
import { Rules, readMatch, readRules, readWritten } from './rules.ts';

const builtIn = readRules(builtInRules);
const tcp = (name: string | null, port: number) => ({ name, protocol: 'tcp', port });

describe('the rules that come with the agent', () => {
  it('can all be read, and name each thing once', () => {
    expect(builtIn.wrong).toEqual([]);
    const keys = builtIn.rules.map(({ match }) => JSON.stringify(match));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    const named = new Set(builtIn.rules.map(({ category }) => category));
    expect([...applicationCategories].filter((category) => !named.has(category))).toEqual(['Unknown']);
  });

  it('decides by the longest name, by ports where no name does, else it is unknown', () => {
    const rules = new Rules([builtIn.rules]);
    expect(rules.categoryOf(tcp('r3---sn.googlevideo.com', 443))).toEqual({ category: 'Video', byName: true });
    expect(rules.categoryOf(tcp('dl.google.com', 443)).category).toBe('Download');
    expect(rules.categoryOf(tcp('google.com', 443))).toEqual({ category: 'HTTP', byName: true });
    expect(rules.categoryOf(tcp('notgoogle.com.example', 9999)).category).toBe('Unknown');
    expect(rules.categoryOf(tcp('some.example', 443))).toEqual({ category: 'HTTP', byName: false });
    expect(rules.categoryOf(tcp(null, 12_345)).category).toBe('Unknown');
    expect(rules.categoryOf({ name: null, protocol: 'udp', port: 51_820 }).category).toBe('Transport');
    expect(rules.categoryOf({ name: null, protocol: 'icmp', port: null }).category).toBe('Test');
  });

  it('lets the operator go first, with names and with ports', () => {
    const own = readWritten([
      { match: 'google.com', category: 'Game' },
      { match: 'udp/50000-52000', category: 'IM' },
      { match: 'no/thing', category: 'IM' },
    ]);
    expect(own).toHaveLength(2);
    const rules = new Rules([own, builtIn.rules]);
    expect(rules.categoryOf(tcp('dl.google.com', 443)).category).toBe('Game');
    expect(rules.categoryOf({ name: null, protocol: 'udp', port: 51_820 }).category).toBe('IM');
  });
});

it('reads any text, and makes nothing up', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { rules, wrong } = readRules(text);
      for (const { match } of rules) if (match.kind === 'name') expect(text.toLowerCase()).toContain(match.suffix);
      const words = text.split(/\s+/).filter(Boolean).length;
      expect(rules.length + wrong.length).toBeLessThanOrEqual(words);
      readMatch(text);
    }),
  );
  expect(readMatch('1.2.3.4')).toBeNull();
  expect(readMatch('tcp/70000')).toBeNull();
  expect(readMatch('udp/20-10')).toBeNull();
  expect(readMatch('EXAMPLE.com.')).toEqual({ kind: 'name', suffix: 'example.com' });
});
