import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogues, type Locale, locales } from '@yunxun/contract/messages';
import { expect, it } from 'vitest';

/** Not kinds of bookings. */
const others = new Set(['booking', 'package_named', 'of_shop', 'smsPack']);

it.each(locales)('lists every kind of booking in docs/billing, in %s', (locale: Locale) => {
  const kinds = Object.keys(catalogues[locale])
    .flatMap((key) => /^orders\.(\w+)$/.exec(key)?.[1] ?? [])
    .filter((kind) => !others.has(kind));
  expect(kinds.length).toBeGreaterThan(12);
  const text = readFileSync(join(import.meta.dirname, `../docs/billing.${locale}.md`), 'utf8');
  expect(kinds.filter((kind) => !text.includes(`| \`${kind}\` |`))).toEqual([]);
});
