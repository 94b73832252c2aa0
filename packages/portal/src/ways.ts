import type { PortalMethodKind } from '@yunxun/contract';
import { errorText, type Frame, type PageError, textOf } from './frame.ts';
import { html, type Markup } from './html.ts';
import { isBegun, type MethodData, methodFields, methodHint } from './methods/forms.ts';
import { type FormContext, submit, type Typed } from './methods/method-form.ts';
import { methodTexts } from './methods/texts.ts';
import { pageText } from './texts.ts';

/** `remembered` lets a known device in again. */
export type Way = PortalMethodKind | 'remembered';

export interface SignIn {
  ways: readonly Way[];
  action: string;
  /** Sealed, in each form. */
  state: string;
  error: (PageError & { way: Way | null }) | null;
  typed: Typed;
  data: Partial<MethodData>;
}

export function waysOf(frame: Frame, signIn: SignIn): Markup {
  const [only, ...others] = signIn.ways;
  if (only !== undefined && others.length === 0) {
    const { name, hint } = labelsOf(frame, signIn, only);
    return html`<section><h2 id="way-${only}">${name}</h2><p class="soft">${hint}</p>${form(frame, signIn, only)}</section>`;
  }
  const open = openWay(signIn);
  return html`<h2>${textOf(frame)('choose')}</h2>${signIn.ways.map((way) => {
    const { name, hint } = labelsOf(frame, signIn, way);
    return html`<details class="way" name="way"${way === open && html` open`}>
<summary><span class="name" id="way-${way}">${name}</span> <span class="soft">${hint}</span></summary>${form(frame, signIn, way)}</details>`;
  })}`;
}

function openWay({ ways, error, data }: SignIn): Way | undefined {
  const refused = ways.find((way) => way === error?.way);
  return refused ?? ways.find((way) => way !== 'remembered' && isBegun(way, data)) ?? ways[0];
}

function labelsOf({ locale }: Frame, { data }: SignIn, way: Way): { name: string; hint: string } {
  return way === 'remembered'
    ? { name: pageText(locale, way), hint: pageText(locale, 'remembered_text') }
    : { name: methodTexts[way](locale, 'heading'), hint: methodHint(way, locale, data) };
}

function form(frame: Frame, signIn: SignIn, way: Way): Markup {
  const { locale } = frame;
  const { state, action, typed, error, data } = signIn;
  const own = error?.way === way ? error : null;
  const wrong = own ? html` aria-invalid="true" aria-describedby="wrong-${way}"` : html``;
  const context: FormContext = { frame, typed, error, wrong, focus: own ? html` autofocus` : html`` };
  return html`<form method="post" action="${action}" aria-labelledby="way-${way}">
<input type="hidden" name="state" value="${state}"><input type="hidden" name="way" value="${way}"><input type="hidden" name="lang" value="${locale}">
${own && html`<p role="alert" id="wrong-${way}">${errorText(locale, own)}</p>`}
${way === 'remembered' ? submit(context) : methodFields(way, context, data)}
</form>`;
}
