import { complaintOf as complaintOfRule, type RuleKey, rules } from '@yunxun/contract/rules';
import { Ajv, type ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type Complaint, Invalid } from '../failure.ts';

/** Formats of the contract's shapes. */
const formats: Record<string, RegExp | ((text: string) => boolean)> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
};

function newAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    formats,
  });
  ajv.addKeyword({
    keyword: 'rule',
    type: 'string',
    schemaType: 'string',
    errors: false,
    compile(key: RuleKey) {
      const rule = rules[key];
      if (!rule) throw new Error(`no validation rule "${key}" in the contract`);
      return (value: string) => rule.test(value);
    },
  });
  return ajv;
}

const ajv = newAjv();

/**
 * Compiles an endpoint's input schema into a check.
 * @returns a function that gives the input without fields that the endpoint does not name, so that a handler which
 * writes its whole input writes nothing else; it throws Invalid with one complaint list per field
 */
export function compileInput(schema: TSchema): (input: unknown) => unknown {
  const check = ajv.compile(schema);
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  return (input) => {
    const broken = brokenText(input);
    if (broken !== null) throw new Invalid({ [broken || 'body']: [{ key: 'validation.invalid' }] });
    if (check(input)) return named(input, names);
    const errors: Record<string, Complaint[]> = {};
    for (const error of check.errors ?? []) {
      const { field, complaint } = explain(error);
      errors[field] ??= [];
      if (!errors[field].some((known) => known.key === complaint.key)) errors[field].push(complaint);
    }
    throw new Invalid(errors);
  };
}

function named(input: unknown, names: readonly string[]): unknown {
  const given = input as Record<string, unknown>;
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

/** The path of a text or name that is no text to a database (NUL, half a surrogate pair), or null. */
function brokenText(input: unknown): string | null {
  // not recursive: input may be nested a million deep
  const open: { path: string; value: unknown }[] = [{ path: '', value: input }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && !isWhole(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isWhole(name)) return path;
      // what stands deeper is named by its field
      open.push({ path: path || name, value: inner });
    }
  }
  return null;
}

const isWhole = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

function explain(error: ErrorObject): { field: string; complaint: Complaint } {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    return { field: path ? `${path}.${name}` : name, complaint: { key: 'validation.required' } };
  }
  return { field: path || 'body', complaint: complaintOf(error) };
}

function complaintOf({ keyword, params, schema, data }: ErrorObject): Complaint {
  switch (keyword) {
    case 'rule':
      return complaintOfRule(rules[schema as RuleKey], String(data)) ?? { key: 'validation.invalid' };
    case 'minLength':
      return params.limit === 1
        ? { key: 'validation.required' }
        : { key: 'validation.minLength', params: { min: params.limit } };
    case 'maxLength':
      return { key: 'validation.maxLength', params: { max: params.limit } };
    case 'minimum':
      return { key: 'validation.minValue', params: { min: params.limit } };
    case 'maximum':
      return { key: 'validation.maxValue', params: { max: params.limit } };
    case 'minItems':
      return { key: 'validation.minItems', params: { min: params.limit } };
    case 'maxItems':
      return { key: 'validation.maxItems', params: { max: params.limit } };
    case 'type':
      return { key: params.type === 'integer' ? 'validation.integer' : 'validation.invalid' };
    default:
      return { key: 'validation.invalid' };
  }
}
