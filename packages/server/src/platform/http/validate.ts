import { ruleErrorOf as errorOfRule, type RuleKey, rules } from '@yunxun/contract/rules';
import { Ajv, type ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type FieldError, Invalid } from '../failure.ts';
import { checkBounds, type FieldErrors, maxFieldErrors } from './bounds.ts';

const formats: Record<string, RegExp | ((text: string) => boolean)> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
};

function newAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({
    allErrors,
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
  // message key suffix for a failed pattern
  ajv.addKeyword({ keyword: 'hint', schemaType: 'string' });
  return ajv;
}

/** The cost of a valid input is linear. */
const quick = newAjv(false);
const thorough = newAjv(true);
const inspectedItems = 20;

/**
 * Checks sizes first, so the schema bounds the work. `unknown` applies to single unknown values.
 * @returns a check that drops unknown fields, so handlers can write the whole input; it throws Invalid with at most
 * `maxFieldErrors` fields
 */
export function compileInput(schema: TSchema, unknown: 'refused' | 'ignored' = 'refused'): (input: unknown) => unknown {
  const check = quick.compile(schema);
  let inspect: ReturnType<typeof thorough.compile> | null = null;
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  return (input) => {
    const outOfBounds = checkBounds(schema, input, unknown);
    if (outOfBounds) throw new Invalid(outOfBounds);
    const broken = brokenText(input);
    if (broken !== null) throw new Invalid({ [broken || 'body']: [{ key: 'validation.invalid' }] });
    if (check(input)) return named(input, names);
    const errors: FieldErrors = {};
    const [first] = check.errors ?? [];
    inspect ??= thorough.compile(schema);
    // all errors in the first items; beyond them only the first
    inspect(shortened(input));
    for (const error of [...(inspect.errors ?? []), ...(first ? [first] : [])]) collect(errors, error);
    throw new Invalid(errors);
  };
}

function collect(errors: FieldErrors, error: ErrorObject): void {
  const { field, complaint } = explain(error);
  if (!errors[field] && Object.keys(errors).length >= maxFieldErrors) return;
  errors[field] ??= [];
  if (!errors[field].some((known) => known.key === complaint.key)) errors[field].push(complaint);
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, inspectedItems).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

function named(input: unknown, names: readonly string[]): unknown {
  const given = input as Record<string, unknown>;
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

/** Returns the path of a text or name that PostgreSQL cannot store (NUL, lone surrogate). */
function brokenText(input: unknown): string | null {
  // iterative: input may be nested a million levels deep
  const open: { path: string; value: unknown }[] = [{ path: '', value: input }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && !isWhole(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isWhole(name)) return path;
      open.push({ path: path || name, value: inner });
    }
  }
  return null;
}

const isWhole = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

function explain(error: ErrorObject): { field: string; complaint: FieldError } {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    return { field: path ? `${path}.${name}` : name, complaint: { key: 'validation.required' } };
  }
  return { field: path || 'body', complaint: ruleErrorOf(error) };
}

function ruleErrorOf({ keyword, params, schema, data, parentSchema }: ErrorObject): FieldError {
  switch (keyword) {
    case 'pattern':
      return { key: `validation.${(parentSchema as { hint?: string }).hint ?? 'invalid'}` };
    case 'rule':
      return errorOfRule(rules[schema as RuleKey], String(data)) ?? { key: 'validation.invalid' };
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
