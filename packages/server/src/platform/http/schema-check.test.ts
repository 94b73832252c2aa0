import { expect, it } from 'vitest';
import { endpoints } from '../../../test/endpoints.ts';
import { largestInput } from '../../../test/largest-input.ts';
import { worstValues } from '../../../test/worst-bodies.ts';
import { jsonLimits, parseJson } from './json-body.ts';
import { compileSchema, maxErrors, type Shape } from './schema-check.ts';

type Json = unknown;

/** The worst that passes the parser, in values and depth. */
const bytes = 70_000;
const worst: Record<string, Json> = {
  ...Object.fromEntries(
    Object.entries(worstValues(bytes)).flatMap(([name, text]) =>
      name.startsWith('nested') ? [] : [[name, parseJson(text)]],
    ),
  ),
  nested: parseJson('['.repeat(jsonLimits.depth) + ']'.repeat(jsonLimits.depth)),
  prototypes: parseJson(`{"__proto__":${'{"__proto__":'.repeat(20)}[]${'}'.repeat(20)},"a":"\\u0000"}`),
  nothing: null,
};

/** Fills leaves, lists and records within `budget` values. */
function filled(shape: Shape, value: Json, budget: { left: number }): Json {
  budget.left -= 1;
  const inner = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape;
  if (inner.items) {
    const list: Json[] = [];
    const count = inner.maxItems ?? 100;
    while (list.length < count && budget.left > 0) list.push(filled(inner.items, value, budget));
    return list;
  }
  const [record] = Object.values(inner.patternProperties ?? {});
  if (record) {
    const count = inner.maxProperties ?? 50;
    return Object.fromEntries(Array.from({ length: count }, (_none, at) => [`k_${'a'.repeat(at % 30)}${at}`, value]));
  }
  if (!inner.properties) return value;
  return Object.fromEntries(
    Object.entries(inner.properties).map(([name, field]) => [name, filled(field, value, budget)]),
  );
}

/** Yields a body per list, record and object, where that one is `value`. */
function* replaced(shape: Shape, value: Json): Generator<Json> {
  yield value;
  const inner = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape;
  if (inner.items) {
    const count = Math.min(inner.maxItems ?? 100, 100);
    for (const item of replaced(inner.items, value)) yield Array.from({ length: count }, () => item);
  }
  for (const record of Object.values(inner.patternProperties ?? {})) {
    for (const item of replaced(record, value))
      yield Object.fromEntries([
        ['a', item],
        ['b', item],
        ['__proto__', item],
      ]);
  }
  for (const [name, field] of Object.entries(inner.properties ?? {})) {
    for (const item of replaced(field, value)) yield { [name]: item };
  }
}

const answerBytes = 64 * 1024;

it.each(endpoints)('$path: the worst shapes in every field cost what the schema allows', ({ body }) => {
  const check = compileSchema(body, 'refused');
  const max = 2 * largestInput(body).values + 25 * 150;
  const findings = { visited: 0, errors: 0, bytes: 0 };
  for (const value of Object.values(worst)) {
    const inputs = [filled(body as Shape, value, { left: 5000 }), ...replaced(body as Shape, value)];
    for (const input of inputs) {
      const { errors, visited } = check(input);
      findings.visited = Math.max(findings.visited, visited);
      findings.errors = Math.max(findings.errors, Object.values(errors ?? {}).flat().length);
      findings.bytes = Math.max(findings.bytes, JSON.stringify(errors).length);
    }
  }
  expect(findings.visited).toBeLessThanOrEqual(max);
  expect(findings.errors).toBeLessThanOrEqual(maxErrors);
  expect(findings.bytes).toBeLessThan(answerBytes);
});

it('refuses more values, and deeper ones, before it parses them', () => {
  const code = (text: string) => {
    try {
      parseJson(text);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const { values, depth, outside } = jsonLimits;
  const list = (count: number) => `[${Array.from({ length: count }, () => '"\\",{["').join()}]`;
  expect([code(list(values - 2)), code(list(values + 2))]).toEqual([null, 'tooLarge']);
  const number = (digits: number) => `{"text":"${'7'.repeat(outside)}","number":${'7'.repeat(digits)}}`;
  expect([code(number(outside - 40)), code(number(outside))]).toEqual([null, 'tooLarge']);
  const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + '}]'.repeat(levels / 2).replace('}', '0}');
  expect([code(nested(depth)), code(nested(depth + 2))]).toEqual([null, 'invalid']);
  for (const broken of ['{', '"', '"\\', '{"a":"b\\"}', ']'.repeat(values), ','])
    expect(code(broken), broken).toBe('invalid');
});
