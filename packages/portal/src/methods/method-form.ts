import type { Frame, PageError } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import { pageText } from '../texts.ts';

/** Shown again beside an error. */
export type Typed = Readonly<Record<string, string>>;

export interface FormContext {
  frame: Frame;
  typed: Typed;
  /** Of the page, with the method that it is beside; null: of none. */
  error: (PageError & { way: string | null }) | null;
  /** Attributes of the field that the error is about. */
  wrong: Markup;
}

/** Form of a sign-in method on the guest's page; `D` is what only the server knows. */
export type MethodForm<D = undefined> = {
  fields(context: FormContext, data: D): Markup;
  /** Fields that are no secrets: an error shows them again as typed. */
  kept?: readonly string[];
} & (undefined extends D ? object : { /** For a new guest, in the editor of templates. */ preview: D });

export const submit = ({ frame }: FormContext) => html`<button>${pageText(frame.locale, 'connect')}</button>`;

export const codeInput = html`autocomplete="off" autocapitalize="characters" spellcheck="false"`;

/** A field that is required; `method` and `name` are its id. */
export function input(method: string, name: string, label: string, attributes: Markup, typed = ''): Markup {
  const id = `${method}-${name}`;
  return html`<label for="${id}">${label}</label><input id="${id}" name="${name}" required maxlength="64"${typed !== '' && html` value="${typed}"`} ${attributes}>`;
}
