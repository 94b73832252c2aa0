import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { codes } from '../codes.ts';
import * as generic from '../rules/generic.ts';
import { rules } from '../rules/index.ts';
import { en, zhCN } from './catalogues.ts';
import { catalogues, format, locales, type MessageKey, message, messageByKey, type ParamsOf } from './index.ts';

const keys = Object.keys(zhCN) as MessageKey[];

/** Placeholder names that the formatter reads. */
function namesOf(text: string): string[] {
  const names = new Set([...text.matchAll(/\{\s*(\w+)\s*(?=[,}])/g)].map((match) => match[1] as string));
  return [...names].toSorted();
}

describe('catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(en).toSorted()).toEqual([...keys].toSorted());
  });

  it.each(keys)('%s takes the same placeholders in both languages', (key) => {
    expect(namesOf(en[key])).toEqual(namesOf(zhCN[key]));
  });

  it('name every rule and every code', () => {
    const parametrised = Object.keys(generic).filter((name) => name !== 'image');
    const wanted = [...Object.keys(rules), ...parametrised].map((key) => `validation.${key}`);
    wanted.push(...Object.keys(codes).map((name) => `code.${name}`));
    expect(keys).toEqual(expect.arrayContaining(wanted));
  });

  it('are written in their own language, with full-width punctuation in Chinese', () => {
    for (const key of keys) {
      expect(zhCN[key]).toMatch(/\p{Script=Han}/u);
      expect(zhCN[key]).not.toMatch(/\p{Script=Han}[,;:!?()]|[,;:!?()]\p{Script=Han}/u);
      expect(en[key]).not.toMatch(/\p{Script=Han}|[\uff00-\uffef]/u);
    }
  });

  it('fill in every placeholder whatever the number', () => {
    for (const locale of locales) {
      for (const key of keys) {
        for (const value of [0, 1, 2, 5]) {
          const params = Object.fromEntries(namesOf(catalogues[locale][key]).map((name) => [name, value]));
          expect(messageByKey(locale, key, params)).not.toMatch(/[{}]|undefined/);
        }
      }
    }
  });

  it('carry the fixed wording', () => {
    expect(message('en', 'code.tooManyRequests', { seconds: 30 })).toBe(
      'Too many requests, please try again later (30 seconds)',
    );
    expect(message('en', 'code.tooManyRequests', { seconds: 1 })).toContain('(1 second)');
    expect(message('en', 'code.internal')).toBe('Request error occurred, please try again');
    expect(messageByKey('en', 'code.versionTooLow', { need: '3.4.1' })).toBe(
      'Routing version too low (needs 3.4.1 or above)',
    );
    expect(messageByKey('en', 'code.versionTooLow', { names: 'Edge-5', feature: 'security' })).toContain('Edge-5');
    expect(messageByKey('en', 'code.nameExists', { kind: 'template' })).toBe('Template name already exists');
    expect(messageByKey('zh-CN', 'code.nameExists')).toBe('名称已存在');
  });

  it('ask the compiler for exactly their placeholders', () => {
    expectTypeOf<
      ParamsOf<'{a} and {b, plural, one {# of {c}} other {#}} {d,select, x {y} other {{e}}}'>
    >().toEqualTypeOf<'a' | 'b' | 'c' | 'd' | 'e'>();
    expectTypeOf<ParamsOf<'nothing'>>().toEqualTypeOf<never>();
    // @ts-expect-error a text with placeholders needs their values
    expect(message('en', 'validation.between')).toContain('{min}');
  });

  it('answer an unknown key with the key itself', () => {
    expect(messageByKey('en', 'toString')).toBe('toString');
    expect(messageByKey('zh-CN', 'code.nothing')).toBe('code.nothing');
  });
});

describe('format', () => {
  it('chooses plural branches by language, the exact one first', () => {
    const text = '{n, plural, =0 {none} one {# item} other {# items}}';
    expect([0, 1, 2].map((n) => format('en', text, { n }))).toEqual(['none', '1 item', '2 items']);
    expect(format('zh-CN', text, { n: 1 })).toBe('1 items');
  });

  it('nests', () => {
    const text = '{who, select, me {I have {n, plural, one {# AP} other {# APs}} #} other {{who} has #{n}}}';
    expect(format('en', text, { who: 'me', n: 2 })).toBe('I have 2 APs #');
    expect(format('en', text, { who: 'Li', n: 2 })).toBe('Li has #2');
  });

  it('leaves a placeholder without a value visible', () => {
    expect(format('en', 'a {b} c', {})).toBe('a {b} c');
  });

  it('inserts any value as it is, and any text without throwing', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('{a}', '#', '$&', '}', '{b, plural, other {x}}'));
    fc.assert(fc.property(value, (a) => format('en', '[{a}]', { a }) === `[${a}]`));
    fc.assert(fc.property(value, (a) => format('en', '{n, plural, other {# {a}}}', { n: 3, a }) === `3 ${a}`));
    const text = fc
      .array(fc.constantFrom('{', '}', 'a', ',', ' plural', ' select', 'other', '#', '=0', '中'))
      .map((p) => p.join(''));
    fc.assert(
      fc.property(text, (t) => typeof format('en', t, { a: 1 }) === 'string'),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((t) => !/[{}]/.test(t)),
        (t) => format('en', t, {}) === t,
      ),
    );
  });
});

/** Gzipped size of a module with its imports. */
const gzipped = (path: string): number => {
  const entry = fileURLToPath(new URL(path, import.meta.url));
  const built = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return gzipSync(built.outputFiles[0]?.contents ?? '').length;
};

describe('weight in the browser', () => {
  it('is under 3 KiB for the rules and 1 KiB for the formatter', () => {
    expect(gzipped('../rules/index.ts')).toBeLessThan(3 * 1024);
    expect(gzipped('./format.ts')).toBeLessThan(1024);
  });
});
