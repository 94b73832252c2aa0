import type { PageLocale } from '../catalogue.ts';
import type { Frame, PageError } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import { pageText } from '../texts.ts';

/** Shown again beside an error. */
export type Typed = Readonly<Record<string, string>>;

export interface FormContext {
  frame: Frame;
  typed: Typed;
  /** `way`: method that the error is beside; null: none. */
  error: (PageError & { way: string | null }) | null;
  wrong: Markup;
  /** Of one field that is wrong: a phone then shows it, and the error above it. */
  focus: Markup;
}

/** `D` is what only the server knows. */
export type MethodForm<D = undefined> = {
  fields(context: FormContext, data: D): Markup;
  /** Not secret: shown again beside an error. */
  kept?: readonly string[];
  /** Takes the place of the method's own, which null keeps. */
  hint?(locale: PageLocale, data: D): string | null;
  /** The guest is in the middle of it. */
  isBegun?(data: D): boolean;
} & (undefined extends D ? object : { /** For a new guest, in the editor of templates. */ preview: D });

export const submit = ({ frame }: FormContext) => html`<button>${pageText(frame.locale, 'connect')}</button>`;

export const codeInput = html`autocomplete="off" autocapitalize="characters" spellcheck="false"`;

export function input(method: string, name: string, label: string, attributes: Markup, typed = ''): Markup {
  return optionalInput(method, name, label, html`required ${attributes}`, typed);
}

/** `method` and `name` are its id. */
export function optionalInput(method: string, name: string, label: string, attributes: Markup, typed = ''): Markup {
  const id = `${method}-${name}`;
  return html`<label for="${id}">${label}</label><input class="field" id="${id}" name="${name}" maxlength="64"${typed !== '' && html` value="${typed}"`} ${attributes}>`;
}
