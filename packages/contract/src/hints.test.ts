import { expect, it } from 'vitest';
import { type AnyEndpoint, api } from './index.ts';
import { messageByKey } from './messages/index.ts';

interface Found {
  at: string;
  hint: unknown;
}

function patternsIn(schema: unknown, at: string): Found[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema && typeof schema.pattern === 'string';
  const hint = (schema as { hint?: unknown }).hint;
  return [
    ...(own ? [{ at, hint }] : []),
    ...Object.entries(schema).flatMap(([name, inner]) => patternsIn(inner, `${at}.${name}`)),
  ];
}

it('has a text for every pattern of an input, in both languages', () => {
  const endpoints = Object.values(api).flatMap((group) =>
    Object.values(group).filter((member) => 'path' in member),
  ) as AnyEndpoint[];
  const found = endpoints.flatMap(({ path, body }) => patternsIn(body, path));
  expect(found.length).toBeGreaterThan(50);
  const wordless = found.filter(({ hint }) =>
    (['en', 'zh-CN'] as const).some(
      (locale) => typeof hint !== 'string' || messageByKey(locale, `validation.${hint}`) === `validation.${hint}`,
    ),
  );
  expect(wordless.map(({ at }) => at)).toEqual([]);
});
