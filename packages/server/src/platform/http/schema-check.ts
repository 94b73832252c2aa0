import { bidiControlOf, withoutBidi } from '@yunxun/contract/plain-text';
import { characterText, type RuleKey, ruleErrorOf, rules } from '@yunxun/contract/rules';
import type { TSchema } from 'typebox';
import type { FieldError } from '../failure.ts';

export type FieldErrors = Record<string, FieldError[]>;
/** Maximum errors of an answer: the check stops there. */
export const maxErrors = 20;

export interface Checked {
  /** Null: valid. */
  errors: FieldErrors | null;
  /** A file is beyond its length, which no person counts in characters. */
  hasLargeFile: boolean;
  /** Read values and names: the work. */
  visited: number;
}

/** Keywords that the contract's schemas use. */
export interface Shape {
  type?: string | readonly string[];
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Shape>>;
  maxProperties?: number;
  additionalProperties?: boolean;
  items?: Shape;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: readonly unknown[];
  const?: unknown;
  not?: object;
  format?: string;
  pattern?: string;
  rule?: RuleKey;
  hint?: string;
  contentEncoding?: 'base64';
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** Without outer blanks, also for the handler. */
  trim?: boolean;
  /** Takes every character: a secret, or a cell that is checked with its row. */
  raw?: boolean;
}

const keywords: ReadonlySet<string> = new Set<keyof Shape>([
  'type',
  'anyOf',
  'properties',
  'required',
  'patternProperties',
  'maxProperties',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'enum',
  'const',
  'not',
  'format',
  'pattern',
  'rule',
  'hint',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'trim',
  'raw',
  'contentEncoding',
]);

/** Bounds where a schema declares none; PostgreSQL's `integer` has 32 bits. */
export const undeclared = { characters: 64 * 1024, items: 100, names: 50, integer: 2 ** 31 - 1 } as const;
/** Longer texts have several lines: their direction may be set. */
const lineLength = 255;
/** Unnamed fields: clients send list rows back. */
const maxExtraFields = 100;
/** Without a schema (a WebAuthn response). */
export const maxFreeValues = 500;

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text),
  date: isDay,
  'date-time': isTime,
};
const time = /^(.{10})T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):\d\d)$/;

/** PostgreSQL refuses 30 February, which Date reads as 2 March, and the year 0. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text)) || text < '0001') return false;
  return new Date(text).toISOString().startsWith(text);
}

/** PostgreSQL refuses offsets of 16 hours. */
function isTime(text: string): boolean {
  const [, day = ''] = time.exec(text) ?? [];
  return isDay(day) && !Number.isNaN(Date.parse(text));
}

class Findings {
  readonly fields = new Map<string, FieldError[]>();
  readonly refusesUnknown: boolean;
  visited = 0;
  count = 0;
  hasLargeFile = false;

  constructor(refusesUnknown: boolean) {
    this.refusesUnknown = refusesUnknown;
  }

  get isFull(): boolean {
    return this.count >= maxErrors;
  }

  add(path: string, key: string, params?: FieldError['params']): void {
    const field = path || 'body';
    const known = this.fields.get(field) ?? [];
    if (this.isFull || known.some((one) => one.key === key)) return;
    this.fields.set(field, [...known, params ? { key, params } : { key }]);
    this.count += 1;
  }
}

type Check = (value: unknown, path: string, found: Findings) => void;

/**
 * Compiles a schema. Reads each value once, checks lengths first, enters no unnamed field, and stops at `maxErrors`:
 * the schema bounds the work, not the input.
 * @param unknown whether unnamed texts and numbers are errors at the top level; below they are ignored, and unnamed
 * lists and objects are errors everywhere
 * @throws Error for an unknown keyword
 */
export function compileSchema(schema: TSchema, unknown: 'refused' | 'ignored'): (input: unknown) => Checked {
  const check = compile(schema as Shape);
  return (input) => {
    const found = new Findings(unknown === 'refused');
    check(input, '', found);
    // untrusted names: `__proto__` becomes a property
    const errors = found.count > 0 ? Object.fromEntries(found.fields) : null;
    return { errors, hasLargeFile: found.hasLargeFile, visited: found.visited };
  };
}

function compile(shape: Shape): Check {
  for (const keyword of Object.keys(shape)) {
    if (!keywords.has(keyword)) throw new Error(`no check for the schema keyword "${keyword}"`);
  }
  if (shape.anyOf) return anyOf(shape.anyOf);
  if (shape.not) return (_value, path, found) => found.add(path, 'validation.invalid');
  if (Object.keys(shape).length === 0) return freeCheck;
  const types = typesOf(shape);
  const contents: Partial<Record<string, Check>> = {
    string: types.includes('string') ? textCheck(shape) : undefined,
    number: numberCheck(shape),
    array: types.includes('array') ? listCheck(shape) : undefined,
    object: types.includes('object') ? objectCheck(shape) : undefined,
  };
  const mistyped = types.includes('integer') ? 'validation.integer' : 'validation.invalid';
  return (value, path, found) => {
    found.visited += 1;
    if (!fits(types, value)) return found.add(path, mistyped);
    if (isOutside(shape, value)) return found.add(path, 'validation.invalid');
    return contents[kindOf(value)]?.(value, path, found);
  };
}

function typesOf({ type, const: constant, enum: words }: Shape): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  if (constant !== undefined) return [kindOf(constant)];
  if (words) return [...new Set(words.map(kindOf))];
  throw new Error('a schema without a type');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fits(types: readonly string[], value: unknown): boolean {
  if (typeof value !== 'number') return types.includes(kindOf(value));
  return (types.includes('number') && Number.isFinite(value)) || (types.includes('integer') && Number.isInteger(value));
}

const isOutside = ({ const: constant, enum: words }: Shape, value: unknown): boolean =>
  (constant !== undefined && value !== constant) || words?.includes(value) === false;

/** Selects the member by type: members must not multiply the work. */
function anyOf(shapes: readonly Shape[]): Check {
  const members = shapes.map((shape) => ({ shape, types: typesOf(shape), check: compile(shape) }));
  const selectors = members
    .flatMap(({ shape, types }) => (shape.const === undefined ? types : []))
    .map((type) => (type === 'integer' ? 'number' : type));
  if (new Set(selectors).size < selectors.length) throw new Error('a union of two members of one type');
  return (value, path, found) => {
    const fitting = members.filter(({ types }) => fits(types, value));
    const [first] = fitting.length > 0 ? fitting : members;
    const chosen =
      fitting.find(({ shape }) => shape.const !== undefined && shape.const === value) ??
      fitting.find(({ shape }) => shape.const === undefined) ??
      first!;
    chosen.check(value, path, found);
  };
}

function textCheck(shape: Shape): Check {
  const { minLength = 0, maxLength = undeclared.characters, pattern, format, rule, hint, contentEncoding } = shape;
  const form = pattern === undefined ? null : new RegExp(pattern, 'u');
  const isFormed = format === undefined ? null : formats[format];
  if (isFormed === undefined) throw new Error(`no format "${format}"`);
  const tested = rule === undefined ? null : rules[rule];
  if (tested === undefined) throw new Error(`no validation rule "${rule}" in the contract`);
  const isLine = maxLength <= lineLength && !shape.raw;
  return (value, path, found) => {
    const text = value as string;
    if (contentEncoding && text.length > maxLength) found.hasLargeFile = true;
    if (text.length > 2 * maxLength) return found.add(path, 'validation.maxLength', { max: maxLength });
    // decoding others costs a multiple
    if (contentEncoding && !isAscii(text)) return found.add(path, 'validation.base64');
    if (!isStorable(text)) return found.add(path, 'validation.invalid');
    if (isLonger(text, maxLength)) return found.add(path, 'validation.maxLength', { max: maxLength });
    if (!isLonger(text, minLength - 1)) {
      if (minLength === 1) found.add(path, 'validation.required');
      else found.add(path, 'validation.minLength', { min: minLength });
    }
    const control = isLine ? bidiControlOf(text) : undefined;
    if (control) return found.add(path, 'validation.bidiControl', { character: characterText(control) });
    if (form?.test(text) === false) found.add(path, `validation.${hint ?? 'invalid'}`);
    if (isFormed?.(text) === false) found.add(path, `validation.${hint ?? 'invalid'}`);
    if (tested?.test(text) === false) {
      const { key, params } = ruleErrorOf(tested, text) ?? { key: 'validation.invalid' };
      found.add(path, key, params);
    }
  };
}

/** Counts characters like JSON Schema, without a copy. */
function isLonger(text: string, max: number): boolean {
  let excess = text.length - max;
  if (excess <= 0) return false;
  if (isAscii(text)) return true;
  for (let at = 0; excess > 0 && at < text.length; at += 1) if (isLow(text.charCodeAt(at))) excess -= 1;
  return excess > 0;
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** Second unit of a pair, in well-formed text. */
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isStorable = (text: string) => !text.includes('\0') && (text as WellFormed).isWellFormed();
/** ES2024, which Node 20 has. */
type WellFormed = string & { isWellFormed(): boolean };

function numberCheck(shape: Shape): Check {
  const bound = typesOf(shape).includes('integer') ? undeclared.integer : Infinity;
  const { minimum = -bound, maximum = bound } = shape;
  return (value, path, found) => {
    if ((value as number) < minimum) found.add(path, 'validation.minValue', { min: minimum });
    if ((value as number) > maximum) found.add(path, 'validation.maxValue', { max: maximum });
  };
}

function listCheck({ items, minItems = 0, maxItems = undeclared.items, uniqueItems = false }: Shape): Check {
  if (!items) throw new Error('a list without items');
  const check = compile(items);
  if (uniqueItems && typesOf(items).some((type) => type === 'object' || type === 'array')) {
    throw new Error('only texts and numbers can be unique');
  }
  const trim = trimOf(items);
  return (value, path, found) => {
    const list = value as unknown[];
    if (list.length > maxItems) return found.add(path, 'validation.maxItems', { max: maxItems });
    if (list.length < minItems) found.add(path, 'validation.minItems', { min: minItems });
    if (trim) for (const [index, each] of list.entries()) if (typeof each === 'string') list[index] = trim(each);
    if (uniqueItems && new Set(list).size < list.length) found.add(path, 'validation.unique');
    for (let index = 0; index < list.length && !found.isFull; index += 1) check(list[index], at(path, index), found);
  };
}

/** One spelling of what reads the same: some keyboards and file systems write letters and their accents apart. */
const tidied = (text: string): string => text.trim().normalize('NFC');

type Trim = (text: string) => string;
/** What is looked up may be pasted with invisible controls; a name with them is refused. */
const tidiedWord: Trim = (text) => tidied(withoutBidi(text));

function trimOf({ trim, rule, anyOf: members }: Shape): Trim | undefined {
  if (trim) return rule ? tidied : tidiedWord;
  return members?.map(trimOf).find((each) => each !== undefined);
}

function objectCheck(shape: Shape): Check {
  const fields = new Map(Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, compile(inner)]));
  const trims = new Map(Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, trimOf(inner)]));
  const records = Object.entries(shape.patternProperties ?? {});
  if (records.length > 1 || (records.length > 0 && fields.size > 0)) throw new Error('an object of two kinds');
  const [record] = records.map(([pattern, inner]) => ({ pattern: new RegExp(pattern, 'u'), check: compile(inner) }));
  const isClosed = record !== undefined || shape.additionalProperties === false;
  const maxNames = record ? (shape.maxProperties ?? undeclared.names) : fields.size + maxExtraFields;
  return (value, path, found) => {
    const object = value as Record<string, unknown>;
    for (const name of shape.required ?? []) {
      if (!Object.hasOwn(object, name) || object[name] === undefined) found.add(at(path, name), 'validation.required');
    }
    const names = Object.keys(object);
    if (record && names.length > maxNames) return found.add(path, 'validation.maxItems', { max: maxNames });
    for (const [index, name] of names.entries()) {
      if (found.isFull || index > maxNames) return;
      found.visited += 1;
      const trim = trims.get(name);
      if (trim && typeof object[name] === 'string') object[name] = trim(object[name]);
      const inner = object[name];
      const check = record?.pattern.test(name) && isPlain(name) ? record.check : fields.get(name);
      if (!check) {
        const isRefused = isClosed || index === maxNames || (found.refusesUnknown && path === '');
        if (isRefused || !isPlain(name) || !isIgnorable(inner)) found.add(at(path, name), 'validation.unknownField');
      } else if (inner !== undefined) check(inner, at(path, name), found);
    }
  };
}

function freeCheck(value: unknown, path: string, found: Findings): void {
  const open = [value];
  for (let read = 0; open.length > 0; read += 1) {
    const next = open.pop();
    found.visited += 1;
    const isObject = typeof next === 'object' && next !== null;
    const names = isObject ? Object.keys(next) : [];
    const isMany = read + open.length + names.length >= maxFreeValues;
    if (isMany || !(isObject ? names.every(isPlain) : isIgnorable(next))) {
      found.add(path, 'validation.invalid');
      return;
    }
    for (const name of names) open.push((next as Record<string, unknown>)[name]);
  }
}

/** Cannot change a prototype; storable. */
const isPlain = (name: string) => name !== '__proto__' && isStorable(name);

/** Handlers may store extra fields. */
const isIgnorable = (value: unknown) =>
  typeof value === 'string'
    ? value.length <= undeclared.characters && isStorable(value)
    : typeof value !== 'object' || value === null;

/** Truncates untrusted names. */
function at(path: string, name: string | number): string {
  const full = path === '' ? String(name) : `${path}.${name}`;
  return full.length > 200 ? full.slice(0, 200) : full;
}
