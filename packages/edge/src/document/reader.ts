import { isRecord } from '@yunxun/contract/device';
import { readAddress, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import { type DocumentErrors, quote } from './errors.ts';

/**
 * Returns undefined after an error. A schema library would use a third of the agent's memory budget and give less
 * readable sentences.
 */
export type Reader<T> = (value: unknown, path: string, errors: DocumentErrors) => T | undefined;

export type Parts<S extends Record<string, Reader<unknown>>> = {
  [K in keyof S]?: S[K] extends Reader<infer T> ? T | undefined : never;
};

export type Unknown = 'refuse' | 'reject';

export function object<S extends Record<string, Reader<unknown>>>(
  shape: S,
  { unknown, needed = [] }: { unknown: Unknown; needed?: readonly (keyof S & string)[] },
): Reader<Parts<S>> {
  return (value, path, errors) => {
    if (!isRecord(value)) return wrong(errors, path, 'must be of type object');
    const parts: Partial<Record<string, unknown>> = {};
    for (const key of Object.keys(value)) {
      const below = `${path}/${pointer(key)}`;
      if (Object.hasOwn(shape, key)) parts[key] = shape[key]!(value[key], below, errors);
      else if (unknown === 'refuse') errors.error(below, 'is not a key that this gateway supports');
      else errors.reject(below, 'is not supported by this gateway');
    }
    for (const key of needed) if (!Object.hasOwn(value, key)) errors.error(`${path}/${key}`, 'is missing');
    return parts as Parts<S>;
  };
}

export function list<T>(item: Reader<T>, { max, least = 0 }: { max: number; least?: number }): Reader<T[]> {
  return (value, path, errors) => {
    if (!Array.isArray(value)) return wrong(errors, path, 'must be of type array');
    if (value.length > max) return wrong(errors, path, `must have at most ${max} items`);
    if (value.length < least) return wrong(errors, path, `must have at least ${least} items`);
    return value.flatMap((entry, index) => {
      const read = item(entry, `${path}/${index}`, errors);
      return read === undefined ? [] : [read];
    });
  };
}

export function integer(min: number, max: number): Reader<number> {
  return (value, path, errors) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrong(errors, path, 'must be of type integer');
    if (value < min || value > max) return wrong(errors, path, `must be from ${min} to ${max}, not ${value}`);
    return value;
  };
}

export const flag: Reader<boolean> = (value, path, errors) =>
  typeof value === 'boolean' ? value : wrong(errors, path, 'must be of type boolean');

export function oneOf<const T extends string>(...words: readonly T[]): Reader<T> {
  return (value, path, errors) =>
    words.find((word) => word === value) ?? wrong(errors, path, `must be one of ${words.join(', ')}`);
}

export function text(max: number): Reader<string> {
  return (value, path, errors) => {
    if (typeof value !== 'string') return wrong(errors, path, 'must be of type string');
    if (value.trim() === '') return wrong(errors, path, 'must not be empty');
    if ([...value].length > max) return wrong(errors, path, `must have at most ${max} characters`);
    return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) ? wrong(errors, path, 'must not have control characters') : value;
  };
}

export function formed(form: RegExp, what: string): Reader<string> {
  return (value, path, errors) =>
    typeof value === 'string' && form.test(value) ? value : wrong(errors, path, `${quote(value)} is not ${what}`);
}

export const address: Reader<number> = (value, path, errors) =>
  readAddress(value) ?? wrong(errors, path, `${quote(value)} is not an IPv4 address`);

export const subnet: Reader<Subnet> = (value, path, errors) =>
  readSubnet(value) ?? wrong(errors, path, `${quote(value)} is not an IPv4 address with a prefix`);

export const mac: Reader<string> = (value, path, errors) => {
  if (typeof value !== 'string' || !/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(value))
    return wrong(errors, path, `${quote(value)} is not a MAC address`);
  const lower = value.toLowerCase();
  if (Number.parseInt(lower.slice(0, 2), 16) % 2 === 1 || lower === '00:00:00:00:00:00')
    return wrong(errors, path, `${quote(value)} is not a unicast MAC address`);
  return lower;
};

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Accepts `6h`; seconds. */
export const leaseTime: Reader<number> = (value, path, errors) => {
  const match = typeof value === 'string' ? /^(\d{1,8})([smhdw])$/.exec(value) : null;
  if (!match) return wrong(errors, path, `${quote(value)} is not a time such as 30m or 6h`);
  const seconds = Number(match[1]) * unitSeconds[match[2]!]!;
  if (seconds < 120 || seconds > 365 * 86_400) return wrong(errors, path, 'must be from 2m to 365d');
  return seconds;
};

/** Accepts 80, "80", "8000-8010". */
export const portRange: Reader<{ first: number; last: number }> = (value, path, errors) => {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(typeof value === 'number' ? String(value) : asForm(value));
  const first = Number(match?.[1]);
  const last = match?.[2] === undefined ? first : Number(match[2]);
  if (!match || first < 1 || last > 65_535 || last < first)
    return wrong(errors, path, `${quote(value)} is not a port or a range of ports`);
  return { first, last };
};

export function oneOrMore<T>(item: Reader<T>, max: number): Reader<T[]> {
  const many = list(item, { max });
  return (value, path, errors) => {
    if (Array.isArray(value)) return many(value, path, errors);
    const one = item(value, path, errors);
    return one === undefined ? undefined : [one];
  };
}

export const deviceForm = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$/;

export const anything: Reader<unknown> = (value) => value;

function asForm(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function pointer(key: string): string {
  const short = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  return short.replaceAll(/\p{C}/gu, '?').replaceAll('~', '~0').replaceAll('/', '~1');
}

function wrong(errors: DocumentErrors, path: string, sentence: string): undefined {
  errors.error(path, sentence);
}
