import type { PackageTerms, PortalContent, PortalMethodKind } from '@yunxun/contract';
import { html, Markup } from './html.ts';
import { type PageLocale, type PageText, type PortalError, pageText, type TextParams } from './texts.ts';

/** Addresses are paths on the portal's own origin. */
export interface Frame {
  locale: PageLocale;
  page: PortalContent['page'];
  style: string;
  picture(id: string): string;
  /** The same page in the other language; null where it has none. */
  otherLanguage: string | null;
}

export interface PageError {
  reason: PortalError;
  params?: TextParams | undefined;
}

/** Way to sign in as the page offers it; `remembered` lets a known device in again. */
export type Way = PortalMethodKind | 'remembered';

export interface SignIn {
  ways: readonly Way[];
  action: string;
  /** Sealed state, which each form carries. */
  state: string;
  error: (PageError & { way: Way | null }) | null;
  /** The number is empty on a page that is opened again. */
  codeSent: { phone: string; minutes: number } | null;
  smsToFile: boolean;
  /** Shown again beside an error. */
  typed: Typed;
  /** What `purchase` offers; null: the page has no such way. */
  shop: Shop | null;
}

export const keptFields = ['voucher', 'name', 'phone', 'card', 'guest', 'sponsor'] as const;
export type Typed = Readonly<Partial<Record<(typeof keptFields)[number], string>>>;

export interface Shop {
  offers: readonly { id: string; name: string; price: string; terms: PackageTerms }[];
  /** Names of payment providers. */
  methods: readonly string[];
  /** Package that this device has bought and can use. */
  earlier: string | null;
}

/** Returns the terms as a page of this language shows them; null without any. */
export function termsOf(page: PortalContent['page'], locale: PageLocale): { locale: PageLocale; text: string } | null {
  const shown = locale === 'en' && page.terms.en !== '' ? 'en' : 'zh-CN';
  const text = shown === 'en' ? page.terms.en : page.terms.zh;
  return text === '' ? null : { locale: shown, text };
}

export function signInPage(frame: Frame, signIn: SignIn): string {
  return document(frame, title(frame), signInContent(frame, signIn));
}

export function signInContent(frame: Frame, signIn: SignIn): Markup {
  const t = textOf(frame);
  const { page } = frame;
  const terms = termsOf(page, frame.locale);
  const general = signIn.error && signIn.error.way === null ? signIn.error : null;
  return html`${page.logo !== null && html`<img class="logo" src="${frame.picture(page.logo)}" alt="">`}
<h1>${title(frame)}</h1>
${page.carousel.length > 0 && carousel(frame)}
${own(frame, page.text) !== '' && html`<p>${own(frame, page.text)}</p>`}
${general && html`<p role="alert">${errorText(frame.locale, general)}</p>`}
${signIn.ways.map((way) => form(frame, signIn, way))}
${terms && html`<p class="soft">${t('accept')}</p><details><summary>${t('terms')}</summary><p>${terms.text}</p></details>`}`;
}

/** Advertisement before the guest is online; goes on by itself. */
export function countdownPage(frame: Frame, shown: Countdown): string {
  const heading = pageText(frame.locale, 'wait_title');
  return document(frame, heading, countdownContent(frame, shown), refresh(shown.seconds, shown.next));
}

export interface Countdown {
  seconds: number;
  next: string;
}

export function countdownContent(frame: Frame, { seconds, next }: Countdown): Markup {
  const t = textOf(frame);
  const picture = frame.page.countdown?.picture;
  return html`<h1>${t('wait_title')}</h1>
${picture !== undefined && html`<img class="wide" src="${frame.picture(picture)}" alt="">`}
<p role="status">${t('wait_text', { seconds })}</p><a class="button" href="${next}">${t('continue')}</a>`;
}

/** Waits for the gateway, or sends the guest to it. `next` may be on the gateway. */
export function connectingPage(frame: Frame, { seconds, next }: { seconds: number; next: string }): string {
  const t = textOf(frame);
  return document(
    frame,
    t('connecting_title'),
    html`<h1>${t('connecting_title')}</h1><p role="status">${t('connecting_text')}</p>
<a class="button" href="${next}">${t('continue')}</a>`,
    refresh(seconds, next),
  );
}

/** `toFile`: the installation has no mail provider. */
export function askedPage(
  frame: Frame,
  { seconds, next, toFile }: { seconds: number; next: string; toFile: boolean },
): string {
  const t = textOf(frame);
  return document(
    frame,
    t('asked_title'),
    html`<h1>${t('asked_title')}</h1><p role="status">${t(toFile ? 'asked_to_file' : 'asked_text')}</p>
<a class="button" href="${next}">${t('continue')}</a>`,
    refresh(seconds, next),
  );
}

/** Sends the guest to the payment, or looks for it every few seconds. */
export function paymentPage(frame: Frame, { seconds, next }: { seconds: number; next: string }): string {
  const t = textOf(frame);
  return document(
    frame,
    t('paying_title'),
    html`<h1>${t('paying_title')}</h1><p role="status">${t('paying_text')}</p>
<a class="button" href="${next}">${t('continue')}</a>`,
    refresh(seconds, next),
  );
}

/** Sends the guest to the identity provider. */
export function leavingPage(frame: Frame, next: string): string {
  const t = textOf(frame);
  return document(
    frame,
    t('leaving_title'),
    html`<h1>${t('leaving_title')}</h1><p role="status">${t('leaving_text')}</p>
<a class="button" href="${next}">${t('continue')}</a>`,
    refresh(0, next),
  );
}

export interface HostRequests {
  requests: readonly { id: string; guest: string }[];
  action: string;
  token: string;
  outcome: 'approved' | 'refused' | 'over' | null;
}

export function sponsorPage(frame: Frame, { requests, action, token, outcome }: HostRequests): string {
  const t = textOf(frame);
  const heading = t('sponsor_title');
  return document(
    frame,
    heading,
    html`<h1>${heading}</h1>${outcome && html`<p role="status">${t(`sponsor_${outcome}`)}</p>`}
${requests.map(
  ({ id, guest }) => html`<form method="post" action="${action}" aria-labelledby="guest-${id}">
<p id="guest-${id}">${t('sponsor_text', { guest })}</p><input type="hidden" name="t" value="${token}"><input type="hidden" name="r" value="${id}"><input type="hidden" name="lang" value="${frame.locale}">
<button name="answer" value="approved">${t('approve')}</button><button class="second" name="answer" value="refused">${t('refuse')}</button></form>`,
)}`,
  );
}

export interface Controls {
  /** Path of the portal's pages of this network. */
  base: string;
  /** Sealed session. */
  state: string;
  /** Null: not now. */
  extendMinutes: number | null;
  error: PageError | null;
}

export interface Online {
  /** Null: without limit. */
  secondsLeft: number | null;
  /** Address at the gateway. */
  signOut: string | null;
  /** Where the console itself ends and extends the session; null: it cannot. */
  controls: Controls | null;
  jump: string | null;
  /** Sends the guest to `jump` after a few seconds. */
  goOn: boolean;
}

/** Seconds that the remaining time is shown before the guest is sent on. */
const shownSeconds = 5;

export function onlinePage(frame: Frame, { secondsLeft, signOut, controls, jump, goOn }: Online): string {
  const t = textOf(frame);
  const site = jump && URL.canParse(jump) ? new URL(jump).host : null;
  return document(
    frame,
    t('online_title'),
    html`<h1>${t('online_title')}</h1>
<p role="status">${secondsLeft === null ? t('unlimited') : t('remaining', { time: duration(frame.locale, secondsLeft) })}</p>
${site !== null && html`<a class="button" href="${jump}">${t('open_site', { site })}</a>`}
${signOut !== null && html`<a class="button second" href="${signOut}">${t('sign_out')}</a>`}
${controls && controlsForm(frame, controls)}`,
    goOn && jump !== null ? refresh(shownSeconds, jump) : undefined,
  );
}

function controlsForm(frame: Frame, { base, state, extendMinutes, error }: Controls): Markup {
  const t = textOf(frame);
  return html`<form method="post" action="${base}session">
<input type="hidden" name="s" value="${state}"><input type="hidden" name="lang" value="${frame.locale}">
${error && html`<p role="alert">${errorText(frame.locale, error)}</p>`}
${extendMinutes !== null && html`<button name="act" value="extend">${t('extend', { time: duration(frame.locale, extendMinutes * 60) })}</button>`}
<button class="second" name="act" value="leave">${t('sign_out')}</button></form>`;
}

/** Says why the guest is offline. `again` leads to the sign-in; null: only the gateway can. */
export function errorPage(frame: Frame, error: PageError, again: string | null): string {
  const t = textOf(frame);
  return document(
    frame,
    t('error_title'),
    html`<h1>${t('error_title')}</h1><p role="alert">${errorText(frame.locale, error)}</p>
${again === null ? html`<p>${t('reopen')}</p>` : html`<a class="button" href="${again}">${t('try_again')}</a>`}`,
  );
}

const textOf =
  ({ locale }: Frame) =>
  (key: PageText, params?: TextParams) =>
    pageText(locale, key, params);

function own({ locale }: Frame, text: { zh: string; en: string }): string {
  return locale === 'en' && text.en !== '' ? text.en : text.zh;
}

function title(frame: Frame): string {
  return own(frame, frame.page.title) || pageText(frame.locale, 'connect');
}

function errorText(locale: PageLocale, { reason, params }: PageError): string {
  const seconds = params?.seconds;
  const shown = typeof seconds === 'number' ? { ...params, time: wait(locale, seconds) } : params;
  return pageText(locale, `error.${reason}`, shown);
}

function wait(locale: PageLocale, seconds: number): string {
  if (seconds <= 120) return pageText(locale, 'seconds', { seconds });
  return pageText(locale, 'minutes', { minutes: Math.ceil(seconds / 60) });
}

function duration(locale: PageLocale, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes < 60) return pageText(locale, 'minutes', { minutes });
  return pageText(locale, 'hours_minutes', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

function carousel(frame: Frame): Markup {
  const pictures = frame.page.carousel.map((id) => html`<img src="${frame.picture(id)}" alt="" loading="lazy">`);
  return html`<div class="strip" role="region" tabindex="0" aria-label="${pageText(frame.locale, 'pictures')}">${pictures}</div>`;
}

const refresh = (seconds: number, next: string) => html`<meta http-equiv="refresh" content="${seconds};url=${next}">`;

function document(frame: Frame, heading: string, content: Markup, head: Markup = new Markup('')): string {
  const { locale, style } = frame;
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading}</title>${head}<link rel="stylesheet" href="${style}"></head>
<body>${bodyOf(frame, content)}</body></html>`.text;
}

export function bodyOf({ locale, otherLanguage }: Frame, content: Markup): Markup {
  const other = locale === 'en' ? 'zh-CN' : 'en';
  return html`<main>${content}
${otherLanguage !== null && html`<footer><a href="${otherLanguage}" lang="${other}" hreflang="${other}">${pageText(locale, 'other_language')}</a></footer>`}
</main>`;
}

function form(frame: Frame, signIn: SignIn, way: Way): Markup {
  const t = textOf(frame);
  const { state, action } = signIn;
  const error = signIn.error?.way === way ? signIn.error : null;
  return html`<form method="post" action="${action}" aria-labelledby="way-${way}">
<h2 id="way-${way}">${t(way)}</h2>
<input type="hidden" name="state" value="${state}"><input type="hidden" name="way" value="${way}"><input type="hidden" name="lang" value="${frame.locale}">
${error && html`<p role="alert" id="wrong-${way}">${errorText(frame.locale, error)}</p>`}
${fields[way](frame, signIn, error ? html` aria-invalid="true" aria-describedby="wrong-${way}"` : html``)}
</form>`;
}

type Fields = (frame: Frame, signIn: SignIn, wrong: Markup) => Markup;

const submit = (frame: Frame) => html`<button>${pageText(frame.locale, 'connect')}</button>`;

function input(frame: Frame, way: Way, name: 'password' | 'code' | keyof Typed, extra: Markup, typed = ''): Markup {
  const id = `${way}-${name}`;
  return html`<label for="${id}">${pageText(frame.locale, `field_${name}`)}</label><input id="${id}" name="${name}" required maxlength="64"${typed !== '' && html` value="${typed}"`} ${extra}>`;
}

/** Refusals after which an earlier code may still be typed. */
const codeIsOut: ReadonlySet<PortalError> = new Set(['code_wrong', 'code_wait', 'sms_quota']);

const payText: Readonly<Record<string, PageText>> = {
  sandbox: 'pay_sandbox',
  alipay: 'pay_alipay',
  wechat: 'pay_wechat',
  stripe: 'pay_stripe',
};

function termsText({ locale }: Frame, { minutes, bytes, devices }: PackageTerms): string {
  const size = bytes > 0 ? [pageText(locale, 'gibibytes', { size: Math.round((bytes / 2 ** 30) * 100) / 100 })] : [];
  return [
    minutes > 0 ? duration(locale, minutes * 60) : pageText(locale, 'no_time_limit'),
    ...size,
    pageText(locale, 'for_devices', { devices }),
  ].join(' · ');
}

function choice(name: 'package' | 'pay', value: string, text: string, checked: boolean): Markup {
  const id = `${name}-${value}`;
  return html`<label for="${id}"><input type="radio" id="${id}" name="${name}" value="${value}" required${checked && html` checked`}> ${text}</label>`;
}

function shopFields(frame: Frame, { offers, methods, earlier }: Shop, wrong: Markup): Markup {
  const t = textOf(frame);
  const resume =
    earlier !== null &&
    html`<p role="status">${t('bought_before', { name: earlier })}</p><button name="step" value="resume" formnovalidate>${t('connect')}</button>`;
  if (offers.length === 0 || methods.length === 0) return html`${resume}<p>${t('nothing_on_sale')}</p>`;
  return html`${resume}<fieldset${wrong}><legend>${t('choose_package')}</legend>
${offers.map(({ id, name, price, terms }) => choice('package', id, `${name} · ¥${price} · ${termsText(frame, terms)}`, offers.length === 1))}</fieldset>
<fieldset><legend>${t('choose_payment')}</legend>
${methods.map((name) => choice('pay', name, t(payText[name] ?? 'pay_other'), methods.length === 1))}</fieldset>
<label for="purchase-coupon">${t('field_coupon')}</label><input id="purchase-coupon" name="coupon" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button name="step" value="buy"${earlier !== null && html` class="second"`}>${t('buy')}</button>`;
}

const leaving: Fields = (frame) => html`<button>${pageText(frame.locale, 'login_button')}</button>`;

const fields: Readonly<Record<Way, Fields>> = {
  remembered: (frame) => html`<p>${pageText(frame.locale, 'remembered_text')}</p>${submit(frame)}`,
  one_click: (frame) => submit(frame),
  password: (frame, _signIn, wrong) =>
    html`${input(frame, 'password', 'password', html`type="password" autocomplete="off"${wrong}`)}${submit(frame)}`,
  dynamic_password: (frame, _signIn, wrong) =>
    html`${input(frame, 'dynamic_password', 'password', html`autocomplete="off" autocapitalize="characters" spellcheck="false"${wrong}`)}${submit(frame)}`,
  voucher: (frame, { typed }, wrong) =>
    html`${input(frame, 'voucher', 'voucher', html`autocomplete="off" autocapitalize="characters" spellcheck="false"${wrong}`, typed.voucher)}${submit(frame)}`,
  recharge_card: (frame, { typed }, wrong) =>
    html`${input(frame, 'recharge_card', 'card', html`autocomplete="off" autocapitalize="characters" spellcheck="false"${wrong}`, typed.card)}${submit(frame)}`,
  purchase: (frame, { shop }, wrong) => (shop ? shopFields(frame, shop, wrong) : html``),
  sponsor: (frame, { typed }, wrong) =>
    html`${input(frame, 'sponsor', 'guest', html`autocomplete="name"${wrong}`, typed.guest)}
${input(frame, 'sponsor', 'sponsor', html`type="email" autocomplete="off"${wrong}`, typed.sponsor)}<button name="step" value="ask">${pageText(frame.locale, 'ask_sponsor')}</button>`,
  oidc: leaving,
  wechat: leaving,
  wecom: leaving,
  dingtalk: leaving,
  account: (frame, { typed }, wrong) =>
    html`${input(frame, 'account', 'name', html`autocomplete="username" autocapitalize="none" spellcheck="false"${wrong}`, typed.name)}
${input(frame, 'account', 'password', html`type="password" autocomplete="current-password"${wrong}`)}${submit(frame)}`,
  sms: (frame, { codeSent, smsToFile, typed, error }, wrong) => {
    const t = textOf(frame);
    const asked = codeSent !== null || (error !== null && codeIsOut.has(error.reason));
    const isOfPhone = !asked || !codeIsOut.has(error?.reason ?? 'code_wrong');
    const phoneField = input(
      frame,
      'sms',
      'phone',
      html`type="tel" inputmode="tel" autocomplete="tel-national"${isOfPhone ? wrong : html``}`,
      codeSent?.phone || typed.phone,
    );
    if (!asked)
      return html`${smsToFile && html`<p>${t('sms_to_file')}</p>`}${phoneField}<button name="step" value="send">${t('send_code')}</button>`;
    const sent = smsToFile ? 'code_to_file' : 'code_sent';
    return html`${codeSent && error?.way !== 'sms' && html`<p role="status">${t(sent, { minutes: codeSent.minutes })}</p>`}${phoneField}
${input(frame, 'sms', 'code', html`inputmode="numeric" autocomplete="one-time-code"${isOfPhone ? html`` : wrong}`)}${submit(frame)}
<button class="second" name="step" value="send" formnovalidate>${t('send_again')}</button>`;
  },
};
