import { keptFields, type Typed } from '@yunxun/portal';

/** Omits secrets. */
export function typedOf(form: Readonly<Record<string, string>>): Typed {
  return Object.fromEntries(keptFields().flatMap((name) => (form[name] ? [[name, form[name].slice(0, 64)]] : [])));
}
