import { isRecord } from '@yunxun/contract/device';
import {
  type AddressForm,
  type FlagForm,
  type Form,
  type FormOf,
  formOf,
  type IntegerForm,
  type ListForm,
  markOf,
  type ObjectForm,
  type UnreadForm,
  type WordForm,
} from '@yunxun/contract/grammar';
import { readAddress, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import { type DocumentErrors, quote } from './errors.ts';

/**
 * Type of what is read: keys may be missing after an error. Addresses are numbers, lease times seconds, MACs lower case.
 */
export type Shaped<F> =
  F extends ObjectForm<infer K>
    ? { [N in keyof K]?: Shaped<FormOf<K[N]>> | undefined }
    : F extends ListForm<infer I>
      ? Shaped<I>[]
      : F extends UnreadForm
        ? unknown
        : F extends WordForm<infer T>
          ? T
          : F extends IntegerForm | AddressForm<'address' | 'leaseTime'>
            ? number
            : F extends FlagForm
              ? boolean
              : F extends AddressForm<'subnet'>
                ? Subnet
                : F extends AddressForm<'portRange'>
                  ? { first: number; last: number }
                  : string;

export function readShape<F extends Form>(form: F, value: unknown, errors: DocumentErrors): Shaped<F> | undefined {
  return read(form, value, '', errors) as Shaped<F> | undefined;
}

function read(form: Form, value: unknown, path: string, errors: DocumentErrors): unknown {
  switch (form.form) {
    case 'object':
      return readObject(form, value, path, errors);
    case 'list':
      return readList(form, value, path, errors);
    case 'integer':
      return readInteger(form, value, path, errors);
    case 'flag':
      return typeof value === 'boolean' ? value : wrong(errors, path, 'must be of type boolean');
    case 'word':
      return (
        form.words.find((word) => word === value) ?? wrong(errors, path, `must be one of ${form.words.join(', ')}`)
      );
    case 'text':
    case 'known':
      return readText(form.max, value, path, errors);
    case 'pattern':
      return typeof value === 'string' && form.pattern.test(value) ? value : wrongForm(errors, path, value, form.what);
    case 'address':
      return readAddress(value) ?? wrongForm(errors, path, value, 'an IPv4 address');
    case 'subnet':
      return readSubnet(value) ?? wrongForm(errors, path, value, 'an IPv4 address with a prefix');
    case 'mac':
      return readMac(value, path, errors);
    case 'leaseTime':
      return readLeaseTime(value, path, errors);
    case 'portRange':
      return readPortRange(value, path, errors);
    case 'unread':
      return value;
  }
}

function readObject({ keys, unknown }: ObjectForm, value: unknown, path: string, errors: DocumentErrors): unknown {
  if (!isRecord(value)) return wrong(errors, path, 'must be of type object');
  const parts: Partial<Record<string, unknown>> = {};
  for (const name of Object.keys(value)) {
    const below = `${path}/${pointer(name)}`;
    if (Object.hasOwn(keys, name)) parts[name] = read(formOf(keys[name]!), value[name], below, errors);
    else if (unknown === 'refuse') errors.error(below, 'is not a key that this gateway supports');
    else errors.reject(below, 'is not supported by this gateway');
  }
  for (const [name, key] of Object.entries(keys))
    if (markOf(key) === 'needed' && !Object.hasOwn(value, name)) errors.error(`${path}/${name}`, 'is missing');
  return parts;
}

function readList({ of, min, max, orOne }: ListForm, value: unknown, path: string, errors: DocumentErrors): unknown {
  if (!Array.isArray(value)) {
    if (!orOne) return wrong(errors, path, 'must be of type array');
    const one = read(of, value, path, errors);
    return one === undefined ? undefined : [one];
  }
  if (value.length > max) return wrong(errors, path, `must have at most ${max} items`);
  if (value.length < min) return wrong(errors, path, `must have at least ${min} items`);
  return value.flatMap((entry, index) => {
    const one = read(of, entry, `${path}/${index}`, errors);
    return one === undefined ? [] : [one];
  });
}

function readInteger({ min, max }: IntegerForm, value: unknown, path: string, errors: DocumentErrors): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return wrong(errors, path, 'must be of type integer');
  if (value < min || value > max) return wrong(errors, path, `must be from ${min} to ${max}, not ${value}`);
  return value;
}

function readText(max: number, value: unknown, path: string, errors: DocumentErrors): unknown {
  if (typeof value !== 'string') return wrong(errors, path, 'must be of type string');
  if (value.trim() === '') return wrong(errors, path, 'must not be empty');
  if ([...value].length > max) return wrong(errors, path, `must have at most ${max} characters`);
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) ? wrong(errors, path, 'must not have control characters') : value;
}

function readMac(value: unknown, path: string, errors: DocumentErrors): unknown {
  if (typeof value !== 'string' || !/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(value))
    return wrongForm(errors, path, value, 'a MAC address');
  const lower = value.toLowerCase();
  if (Number.parseInt(lower.slice(0, 2), 16) % 2 === 1 || lower === '00:00:00:00:00:00')
    return wrongForm(errors, path, value, 'a unicast MAC address');
  return lower;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

function readLeaseTime(value: unknown, path: string, errors: DocumentErrors): unknown {
  const match = typeof value === 'string' ? /^(\d{1,8})([smhdw])$/.exec(value) : null;
  if (!match) return wrongForm(errors, path, value, 'a time such as 30m or 6h');
  const seconds = Number(match[1]) * unitSeconds[match[2]!]!;
  if (seconds < 120 || seconds > 365 * 86_400) return wrong(errors, path, 'must be from 2m to 365d');
  return seconds;
}

function readPortRange(value: unknown, path: string, errors: DocumentErrors): unknown {
  const typed = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(typed);
  const first = Number(match?.[1]);
  const last = match?.[2] === undefined ? first : Number(match[2]);
  if (!match || first < 1 || last > 65_535 || last < first)
    return wrongForm(errors, path, value, 'a port or a range of ports');
  return { first, last };
}

function pointer(key: string): string {
  const short = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  return short.replaceAll(/\p{C}/gu, '?').replaceAll('~', '~0').replaceAll('/', '~1');
}

function wrongForm(errors: DocumentErrors, path: string, value: unknown, what: string): undefined {
  errors.error(path, `${quote(value)} is not ${what}`);
}

function wrong(errors: DocumentErrors, path: string, sentence: string): undefined {
  errors.error(path, sentence);
}
