import { type RuleKey, rules } from '@yunxun/contract/rules';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { expect, it } from 'vitest';
import { runs } from '../../../../../tools/property-runs.ts';
import { alteredInputs, validInput } from '../../../test/contract-inputs.ts';
import { endpoints } from '../../../test/endpoints.ts';
import { compileSchema, maxFreeValues, undeclared } from './schema-check.ts';

const isDay = (year: number, month: number, day: number) =>
  year > 0 &&
  month > 0 &&
  month < 13 &&
  day > 0 &&
  day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return isDay(Number(year), Number(month), Number(day));
}

function isTime(text: string): boolean {
  const form = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/;
  const [, year, month, day] = form.exec(text) ?? [];
  return isDay(Number(year), Number(month), Number(day));
}

/** Ajv, with the formats and the keywords of this house. */
const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  formats: { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, date: isDate, 'date-time': isTime },
});
ajv.addKeyword({
  keyword: 'rule',
  type: 'string',
  schemaType: 'string',
  errors: false,
  compile: (key: RuleKey) => (text: string) => rules[key].test(text),
});
ajv.addKeyword({ keyword: 'hint', schemaType: 'string' });
for (const keyword of ['trim', 'raw']) ajv.addKeyword({ keyword, schemaType: 'boolean' });

/** Unknown texts and numbers are ignored, as Ajv ignores them; the own check cuts outer blanks first. */
function bothChecks(schema: TSchema) {
  const [reference, own] = [ajv.compile(schema), compileSchema(schema, 'ignored')];
  return (input: unknown) => {
    const accepts = own(input).errors === null;
    return { ajv: reference(input), own: accepts };
  };
}

it.each(endpoints)('$path: what Ajv accepts is accepted, and nothing else', ({ body }) => {
  const check = bothChecks(body);
  fc.assert(
    fc.property(validInput(body), (input) => {
      expect(check(input)).toEqual({ ajv: true, own: true });
      const differences: string[] = [];
      for (const { change, input: other } of alteredInputs(body, input)) {
        const accepts = check(other);
        if (accepts.ajv !== accepts.own) differences.push(`${change}: ${accepts.ajv ? 'valid' : 'invalid'} for Ajv`);
      }
      expect(differences).toEqual([]);
    }),
    runs(1, 3),
  );
});

const many = (count: number) => Array.from({ length: count }, (_none, at) => at);
const manyNames = (count: number) => Object.fromEntries(many(count).map((at) => [`name${at}`, at]));
const object = Type.Object({ inner: Type.Optional(Type.Object({})) });
const record = Type.Object({ names: Type.Record(Type.String({ pattern: '^[a-z0-9]+$' }), Type.Integer()) });
const text = Type.Object({ text: Type.String() });
const list = Type.Object({ list: Type.Array(Type.Integer()) });
const free = Type.Object({ free: Type.Unsafe({}) });
const file = Type.Object({ file: Type.String({ contentEncoding: 'base64' }) });

/** Each input is one step beyond what the check accepts. */
const refusedHereOnly: [string, TSchema, unknown][] = [
  ['an unknown list', object, { unknown: [] }],
  ['an unknown object below the top level', object, { inner: { unknown: {} } }],
  ['the unknown field __proto__', object, JSON.parse('{"inner":{"__proto__":1}}')],
  ['more than 100 unknown fields', object, manyNames(102)],
  ['a name that the pattern of the record does not match', record, { names: { 'A-1': 1 } }],
  ['more names than a record may have that declares no maximum', record, { names: manyNames(undeclared.names + 1) }],
  ['more items than a list may have that declares no maximum', list, { list: many(undeclared.items + 1) }],
  ['a longer text than one may be that declares no maximum', text, { text: 'a'.repeat(undeclared.characters + 1) }],
  ['a larger integer than one may be that declares no maximum', list, { list: [undeclared.integer + 1] }],
  ['NUL, which PostgreSQL does not store', text, { text: 'a\0' }],
  ['a lone surrogate, which PostgreSQL does not store', text, { text: '\ud800' }],
  ['base64 with other characters than ASCII', file, { file: 'YQ==字' }],
  ['more values than a field may have that the schema does not describe', free, { free: many(maxFreeValues) }],
];

it.each(refusedHereOnly)('refuses %s, which Ajv accepts', (_name, schema, input) => {
  expect(bothChecks(schema)(input)).toEqual({ ajv: true, own: false });
});

it('refuses an unknown text at the top level of a body, but not below', () => {
  const check = compileSchema(object, 'refused');
  expect(check({ unknown: 'a' }).errors).toEqual({ unknown: [{ key: 'validation.unknownField' }] });
  expect(check({ inner: { unknown: 'a' } }).errors).toBeNull();
});

it('does not compile a union in which the type of a value does not select the member', () => {
  const union = (...members: TSchema[]) => Type.Object({ value: Type.Union(members) });
  const compiled = (schema: TSchema) => () => compileSchema(schema, 'ignored');
  expect(compiled(union(Type.Integer(), Type.Literal(0.5), Type.Null()))).not.toThrow();
  expect(compiled(union(Type.Integer(), Type.Number()))).toThrow('one type');
  expect(compiled(union(Type.Object({}), Type.Object({ a: Type.Integer() })))).toThrow('one type');
});
