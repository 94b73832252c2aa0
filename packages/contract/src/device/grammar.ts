/** Describes a document as plain data: a schema library would use a third of the agent's memory budget. */
export type Form =
  | IntegerForm
  | FlagForm
  | WordForm
  | KnownForm
  | TextForm
  | PatternForm
  | AddressForm
  | ListForm
  | ObjectForm
  | UnreadForm;

export interface IntegerForm {
  form: 'integer';
  min: number;
  max: number;
}

export interface FlagForm {
  form: 'flag';
}

export interface WordForm<T extends string = string> {
  form: 'word';
  words: readonly T[];
}

/** The gateway ignores other words. */
export interface KnownForm<T extends string = string> {
  form: 'known';
  words: readonly T[];
  max: number;
}

/** No control characters. */
export interface TextForm {
  form: 'text';
  max: number;
}

/** `what` follows "is not". */
export interface PatternForm {
  form: 'pattern';
  pattern: RegExp;
  what: string;
}

/** IPv4. `leaseTime`: `6h`; `portRange`: 80, `80`, `8000-8010`. */
export interface AddressForm<K extends string = 'address' | 'subnet' | 'mac' | 'leaseTime' | 'portRange'> {
  form: K;
}

export interface ListForm<F extends Form = Form> {
  form: 'list';
  of: F;
  min: number;
  max: number;
  orOne: boolean;
}

/** Unknown keys refuse the document, or are ignored. */
export interface ObjectForm<K extends Keys = Keys> {
  form: 'object';
  keys: K;
  unknown: 'refuse' | 'pass';
}

/** Other code reads it. */
export interface UnreadForm<F extends Form = Form> {
  form: 'unread';
  of: F;
}

/** `needed` by the gateway; always `sent` by the console; `unsent`: other controllers may send it. */
export interface Key<F extends Form = Form, M extends string = 'needed' | 'sent' | 'unsent'> {
  mark: M;
  of: F;
}

export type Keys = Readonly<Record<string, Form | Key>>;

export const needed = <const F extends Form>(of: F): Key<F, 'needed'> => ({ mark: 'needed', of });
export const sent = <const F extends Form>(of: F): Key<F, 'sent'> => ({ mark: 'sent', of });
export const unsent = <const F extends Form>(of: F): Key<F, 'unsent'> => ({ mark: 'unsent', of });

export const integer = (min: number, max: number): IntegerForm => ({ form: 'integer', min, max });
export const within = ({ min, max }: { min: number; max: number }): IntegerForm => integer(min, max);
export const flag: FlagForm = { form: 'flag' };
export const word = <const T extends string>(...words: readonly T[]): WordForm<T> => ({ form: 'word', words });
export const known = <const T extends string>(words: readonly T[], max: number): KnownForm<T> => ({
  form: 'known',
  words,
  max,
});
export const text = (max: number): TextForm => ({ form: 'text', max });
export const pattern = (form: RegExp, what: string): PatternForm => ({ form: 'pattern', pattern: form, what });
export const address: AddressForm<'address'> = { form: 'address' };
export const subnet: AddressForm<'subnet'> = { form: 'subnet' };
export const mac: AddressForm<'mac'> = { form: 'mac' };
export const leaseTime: AddressForm<'leaseTime'> = { form: 'leaseTime' };
export const portRange: AddressForm<'portRange'> = { form: 'portRange' };
export const unread = <const F extends Form>(of: F): UnreadForm<F> => ({ form: 'unread', of });

export function list<const F extends Form>(of: F, max: number, min = 0): ListForm<F> {
  return { form: 'list', of, min, max, orOne: false };
}

export function oneOrMore<const F extends Form>(of: F, max: number): ListForm<F> {
  return { form: 'list', of, min: 0, max, orOne: true };
}

/** Our own keys. */
export function closed<const K extends Keys>(keys: K): ObjectForm<K> {
  return { form: 'object', keys, unknown: 'refuse' };
}

/** Keys of uCentral. */
export function open<const K extends Keys>(keys: K): ObjectForm<K> {
  return { form: 'object', keys, unknown: 'pass' };
}

export type FormOf<K> = K extends Key<infer F> ? F : K extends Form ? K : never;

export function formOf(key: Form | Key): Form {
  return 'mark' in key ? key.of : key;
}

export function markOf(key: Form | Key): Key['mark'] | null {
  return 'mark' in key ? key.mark : null;
}

type Certain<K extends Keys> = {
  [N in keyof K]: K[N] extends Key<Form, 'needed'> | Key<Form, 'sent'> ? N : never;
}[keyof K];

export type Sent<F> =
  F extends ObjectForm<infer K>
    ? { [N in Certain<K>]: Sent<FormOf<K[N]>> } & { [N in Exclude<keyof K, Certain<K>>]?: Sent<FormOf<K[N]>> }
    : F extends ListForm<infer I>
      ? readonly Sent<I>[]
      : F extends UnreadForm<infer I>
        ? Sent<I>
        : F extends WordForm<infer T> | KnownForm<infer T>
          ? T
          : F extends IntegerForm
            ? number
            : F extends FlagForm
              ? boolean
              : string;
