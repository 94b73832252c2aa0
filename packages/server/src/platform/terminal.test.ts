import { expect, it } from 'vitest';
import { languageOf, linkIn } from './terminal.ts';

it.each([
  [{ LANG: 'zh_CN.UTF-8' }, 'zh-CN'],
  [{ LANG: 'de_DE.UTF-8' }, 'en'],
  [{ LANG: 'zh_TW', LC_ALL: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'C.UTF-8' }, null],
  [{}, null],
])('takes the language of links from %o', (env, language) => {
  expect(languageOf(env)).toBe(language);
});

it('adds the language to a link, beside what it carries', () => {
  const link = 'http://localhost:8080/install?token=a-b';
  expect(linkIn('en', link)).toBe(`${link}&lang=en`);
  expect(linkIn(null, link)).toBe(link);
});
