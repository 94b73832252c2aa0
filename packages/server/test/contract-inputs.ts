import { bidiControlOf } from '@yunxun/contract/plain-text';
import type { RuleKey } from '@yunxun/contract/rules';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { Shape } from '../src/platform/http/schema-check.ts';
import { undeclared } from '../src/platform/http/schema-check.ts';

export interface AlteredInput {
  change: string;
  input: unknown;
}

const validTexts: Partial<Record<RuleKey, readonly string[]>> = {
  mobile: ['13800138000', '19912345678'],
  password: ['abcd1234', 'Secret!2026'],
  passwordFilter: ['a', 'abcd1234', 'Long-enough_2026'],
  freeText: ['Head Office', "O'Neill", 'Müller', 'Иванов', '西湖 1 号店'],
  printable: ['a', 'Secret $1'],
  wifiKey: ['Admin$12345', 'guest guest', '0123456789abcdef'.repeat(4)],
  noSpecialCharacters: ['', 'a', 'office-2', '办公室'],
  nameText: ['a', 'office-2', '办公室'],
  siteLink: ['https://example.com', 'http://192.0.2.1/menu', 'https://例子.中国/x'],
  ssid: ['guests', '访客网络'],
  mac: ['', '02:00:00:00:00:01', '02-00-00-00-00-0A'],
  idCard: ['11010119900307123X'],
  bankCard: ['6222021234567890123'],
  noQuotes: ['', 'Room 5'],
  timeBucket: ['08:00-12:30'],
  portRange: ['1-8,10', '3'],
  withdrawalPassword: ['123456'],
  required: ['x'],
  email: ['someone@example.com'],
  url: ['https://example.com/path'],
  ip: ['192.0.2.1', '2001:db8::1'],
};

/** With short lists. */
export function validInput(schema: TSchema): fc.Arbitrary<unknown> {
  return valid(schema as Shape);
}

function valid(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(valid));
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.type === undefined) return fc.constantFrom({}, { id: 'a', list: [1, null] }, 'text');
  return fc.oneof(...[shape.type].flat().map((type) => validOfType(type, shape)));
}

function validOfType(type: string, shape: Shape): fc.Arbitrary<unknown> {
  const { minimum: min = -1e6, maximum: max = 1e6 } = shape;
  if (type === 'string') return validText(shape);
  if (type === 'integer') return fc.integer({ min, max: Math.max(min, max) });
  if (type === 'number') return fc.double({ min, max, noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return validList(shape);
  return type === 'object' ? validObject(shape) : fc.constant(null);
}

function validText(shape: Shape): fc.Arbitrary<string> {
  const { rule, format, pattern, contentEncoding, minLength = 0, maxLength = Infinity } = shape;
  const isLong = (text: string) =>
    [...text].length >= minLength && [...text].length <= maxLength && bidiControlOf(text) === undefined;
  if (rule) return fc.constantFrom(...(validTexts[rule] ?? []).filter(isLong));
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return fc.constantFrom('2026-02-28', '2024-02-29');
  if (format) return fc.constantFrom('2026-02-28T23:59:59Z', '2024-02-29T00:00:00.123+08:00');
  const unit = contentEncoding ? 'grapheme-ascii' : 'grapheme';
  if (!pattern) return fc.string({ unit, minLength, maxLength: Math.min(maxLength, minLength + 20) }).filter(isLong);
  const form = new RegExp(pattern, 'u');
  // fast-check generates no lookahead, and seldom a long text such as a key
  return fc
    .stringMatching(new RegExp(pattern.replace(/\(\?!.*?\$\)/, ''), 'u'))
    .map((text) => text.padEnd(minLength, text.at(-1)))
    .filter((text) => form.test(text) && isLong(text));
}

function validList({ items = {}, minItems = 0, maxItems = Infinity, uniqueItems }: Shape): fc.Arbitrary<unknown[]> {
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) };
  return uniqueItems
    ? fc.uniqueArray(valid(items), { ...lengths, comparator: 'SameValueZero' })
    : fc.array(valid(items), lengths);
}

function validObject({ properties = {}, required = [], patternProperties = {} }: Shape): fc.Arbitrary<object> {
  const [record] = Object.entries(patternProperties);
  if (record) {
    const [pattern, inner] = record;
    const name = fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text !== '__proto__');
    return fc.dictionary(name, valid(inner), { maxKeys: 3, noNullPrototype: true });
  }
  // a list that cannot be sorted has a `sort` without words
  const fields = Object.entries(properties).filter(([, inner]) => !inner.not);
  const whole = Object.fromEntries(fields.map(([name, inner]) => [name, valid(inner)]));
  const options = { noNullPrototype: true };
  return fc.oneof(fc.record(whole, options), fc.record(whole, { ...options, requiredKeys: [...required] }));
}

const anything = [null, true, 0, -1, 1.5, Infinity, '', 'no such word', [], [null], {}];
const times = ['2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '0000-01-01T00:00:00Z'];
const moreTimes = ['2026-01-01T24:30:00Z', '2026-01-01T00:00:00+16:00', '2026-01-01T00:00:00', '2026-01-01'];

/** Yields copies of a valid input with one change each, at every value. Some changes are valid, such as a full list. */
export function* alteredInputs(schema: TSchema, input: unknown): Generator<AlteredInput> {
  yield* altered(schema as Shape, input);
}

function* altered(shape: Shape, value: unknown): Generator<AlteredInput> {
  for (const other of anything) yield { change: `is ${JSON.stringify(other) ?? 'infinite'}`, input: other };
  for (const member of shape.anyOf ?? [shape]) {
    if (typeof value === 'string') yield* alteredText(member, value);
    if (typeof value === 'number') yield* alteredNumber(member, value);
    if (Array.isArray(value)) yield* alteredList(member, value);
    else if (typeof value === 'object' && value !== null) yield* alteredObject(member, value);
  }
}

function* alteredText(shape: Shape, text: string): Generator<AlteredInput> {
  const { minLength = 0, maxLength, contentEncoding, format } = shape;
  const others = [
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `${text}"`,
    text + text,
    [...text].slice(1).join(''),
    text.toUpperCase(),
  ];
  if (format === 'date') others.push(...times.map((time) => time.slice(0, 10)), '2026-1-01', '2026-01-01T00:00:00Z');
  if (format === 'date-time') others.push(...times, ...moreTimes);
  for (const other of others) yield { change: `is ${JSON.stringify(other)}`, input: other };
  const lengths = [minLength - 1, minLength, ...(maxLength === undefined ? [] : [maxLength, maxLength + 1])];
  // base64 beyond ASCII is a difference
  for (const length of lengths.filter((one) => one >= 0)) {
    const kept = [...text].slice(0, length);
    const isFile = contentEncoding !== undefined || length > undeclared.characters;
    const fillers = [[...text].at(-1) ?? 'a', ...(isFile ? [] : ['😀'])];
    for (const filler of fillers) {
      const input = kept.join('') + filler.repeat(length - kept.length);
      yield { change: `has ${length} characters`, input };
    }
  }
}

function* alteredNumber({ minimum, maximum }: Shape, number: number): Generator<AlteredInput> {
  const bounds = [minimum ?? [], maximum ?? []].flat().flatMap((bound) => [bound - 1, bound, bound + 1]);
  for (const input of [...bounds, number + 0.5, -number]) yield { change: `is ${input}`, input };
  yield { change: 'is a text', input: String(number) };
}

function* alteredList(shape: Shape, list: readonly unknown[]): Generator<AlteredInput> {
  const { items = {}, minItems = 0, maxItems, uniqueItems } = shape;
  const [first, ...rest] = list;
  if (first === undefined) return;
  yield { change: 'repeats an item', input: [...list, first] };
  for (const { change, input } of altered(items, first)) yield { change: `[0] ${change}`, input: [input, ...rest] };
  const most = maxItems === undefined ? [undeclared.items] : [maxItems, maxItems + 1];
  for (const length of [minItems - 1, minItems, ...most].filter((one) => one >= 0)) {
    const input = Array.from({ length }, (_none, at) => (uniqueItems ? distinct(items, first, at) : first));
    yield { change: `has ${length} items`, input };
  }
}

/** Returns an item that differs for each `at`, and is valid where the schema makes that easy. */
function distinct({ enum: words, minimum = 0, pattern, format, rule }: Shape, item: unknown, at: number): unknown {
  if (words) return words[at % words.length];
  if (typeof item !== 'string') return minimum + at;
  if (!pattern && !format && !rule) return String(at);
  let rest = at;
  const last = [...item].reverse().map((character) => {
    if (!/[0-9a-f]/.test(character) || rest === 0) return character;
    const digit = (Number.parseInt(character, 16) + rest) % 10;
    rest = Math.floor(rest / 10);
    return String(digit);
  });
  return last.reverse().join('');
}

function* alteredObject(shape: Shape, object: object): Generator<AlteredInput> {
  const { properties = {}, patternProperties = {}, maxProperties } = shape;
  const [record] = Object.values(patternProperties);
  const entries = Object.entries(object);
  for (const [name, value] of entries) {
    yield { change: `lacks ${name}`, input: Object.fromEntries(entries.filter(([other]) => other !== name)) };
    const inner = properties[name] ?? record;
    if (!inner) continue;
    for (const { change, input } of altered(inner, value)) {
      yield { change: `.${name} ${change}`, input: { ...object, [name]: input } };
    }
  }
  const [example] = entries;
  if (!record) yield { change: 'has an unknown field', input: { ...object, unknown_field: 1 } };
  if (!record || !example) return;
  for (const count of maxProperties === undefined ? [undeclared.names] : [maxProperties, maxProperties + 1]) {
    const names = Array.from({ length: count }, (_none, at) => `a${'b'.repeat(at)}`.slice(0, 32));
    yield { change: `has ${count} names`, input: Object.fromEntries(names.map((name) => [name, example[1]])) };
  }
}
