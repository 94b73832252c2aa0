import { type Static, Type } from 'typebox';
import { Id, Nullable, Words } from './shapes.ts';

/** A template has one to eight, each at most once, in the order of the page. */
export const portalMethods = [
  'one_click',
  'password',
  'dynamic_password',
  'voucher',
  'account',
  'sms',
  'recharge_card',
  'purchase',
  'sponsor',
  'oidc',
  'wechat',
  'wecom',
  'dingtalk',
] as const;
export type PortalMethodKind = (typeof portalMethods)[number];

/** Methods whose guests sign in at an identity provider. */
export const loginMethods = ['oidc', 'wechat', 'wecom', 'dingtalk'] as const;
export type LoginMethodKind = (typeof loginMethods)[number];
export const isLoginMethod = (kind: string): kind is LoginMethodKind =>
  (loginMethods as readonly string[]).includes(kind);

/** The dynamic password changes at local midnight, or that of Monday. */
export const PasswordPeriod = Words(['day', 'week']);
export type PasswordPeriod = Static<typeof PasswordPeriod>;

/** Sizes in bytes. */
export const portalLimits = {
  methods: 8,
  name: 64,
  title: 60,
  text: 2000,
  whitelist: 50,
  whitelistName: 32,
  carousel: 3,
  imageBytes: 2_097_152,
  carouselImageBytes: 512_000,
  countdownSeconds: 30,
  hours: 14,
  minutes: 43_200,
  rateKbps: 1_000_000,
  sponsors: 10,
  allowed: 20,
} as const;

/** Zero means no limit, except `devices`. */
const guestLimits = {
  /** Length of a session. */
  minutes: Type.Integer({ minimum: 0, maximum: portalLimits.minutes }),
  /** Sign-ins per guest and local day. */
  times_per_day: Type.Integer({ minimum: 0, maximum: 100 }),
  up_kbps: Type.Integer({ minimum: 0, maximum: portalLimits.rateKbps }),
  down_kbps: Type.Integer({ minimum: 0, maximum: portalLimits.rateKbps }),
  /** Online with the same voucher, account or phone number. */
  devices: Type.Integer({ minimum: 1, maximum: 100 }),
};

export const GuestLimits = Type.Object(guestLimits);
export type GuestLimits = Static<typeof GuestLimits>;

/** Addresses that may approve guests, or `@example.com` for all of a company. */
export const Sponsors = Type.Array(
  Type.String({ maxLength: 128, pattern: '^[^\\s@<>"]*@[^\\s@<>"]+\\.[^\\s@<>"]+$', hint: 'sponsor' }),
  { minItems: 1, maxItems: portalLimits.sponsors, uniqueItems: true },
);

/** Who may enter: `@example.com` for verified addresses, or `claim=value`; empty: all. */
const Allowed = Type.Array(
  Type.String({ maxLength: 128, pattern: '^(@[^\\s@=]+\\.[^\\s@=]+|[\\w:/.-]+=\\S+)$', hint: 'allowedGuest' }),
  { maxItems: portalLimits.allowed, uniqueItems: true },
);

/** App that the operator has registered at the identity provider. */
export const LoginApp = Type.Object({
  issuer: Type.String({ maxLength: 255, pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$', hint: 'url' }),
  /** AppID of WeChat, CorpID of WeCom. */
  client_id: Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', hint: 'ascii' }),
  client_secret: Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', hint: 'ascii' }),
  /** Of an app in WeCom. */
  agent_id: Type.String({ pattern: '^[0-9]{1,12}$', hint: 'agentId' }),
  allowed: Allowed,
});
const { issuer, client_id, client_secret, agent_id, allowed } = LoginApp.properties;
const app = { ...guestLimits, client_id, client_secret };

export const PortalMethod = Type.Union([
  Type.Object({ kind: Type.Literal('one_click'), ...guestLimits }),
  Type.Object({
    kind: Type.Literal('password'),
    ...guestLimits,
    password: Type.String({ rule: 'passwordFilter', minLength: 1, maxLength: 64 }),
  }),
  Type.Object({ kind: Type.Literal('dynamic_password'), ...guestLimits, every: PasswordPeriod }),
  Type.Object({ kind: Type.Literal('voucher'), ...guestLimits }),
  Type.Object({ kind: Type.Literal('account'), ...guestLimits }),
  Type.Object({ kind: Type.Literal('sms'), ...guestLimits }),
  /** Minutes, devices and rates are those of the card's package. */
  Type.Object({ kind: Type.Literal('recharge_card'), ...guestLimits }),
  /** Those of the package that the guest buys. */
  Type.Object({ kind: Type.Literal('purchase'), ...guestLimits }),
  Type.Object({ kind: Type.Literal('sponsor'), ...guestLimits, sponsors: Sponsors }),
  Type.Object({ kind: Type.Literal('oidc'), ...app, issuer, allowed }),
  Type.Object({ kind: Type.Literal('wechat'), ...app }),
  Type.Object({ kind: Type.Literal('wecom'), ...app, agent_id }),
  Type.Object({ kind: Type.Literal('dingtalk'), ...app, allowed }),
]);
export type PortalMethod = Static<typeof PortalMethod>;

/** Chinese is required; an empty English text shows the Chinese one. */
export const PortalText = (maximum: number) =>
  Type.Object({
    zh: Type.String({ maxLength: maximum }),
    en: Type.String({ maxLength: maximum }),
  });

const Picture = Nullable(Id);

export const PortalPage = Type.Object({
  title: PortalText(portalLimits.title),
  /** Pictures are ids of the account's portal pictures. */
  logo: Picture,
  background: Picture,
  carousel: Type.Array(Id, { maxItems: portalLimits.carousel, uniqueItems: true }),
  /** Shown before the guest is online. */
  countdown: Nullable(
    Type.Object({
      picture: Id,
      seconds: Type.Integer({ minimum: 1, maximum: portalLimits.countdownSeconds }),
    }),
  ),
  text: PortalText(portalLimits.text),
  /** The guest accepts them by signing in; empty shows none. */
  terms: PortalText(portalLimits.text),
  /** Colour of buttons; the text on it is black or white by contrast. */
  colour: Type.String({ pattern: '^#[0-9a-f]{6}$', hint: 'colour' }),
});
export type PortalPage = Static<typeof PortalPage>;

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', hint: 'timeOfDay' });

/** In the account's time zone; a `to` that is not later than `from` is on the next day. */
export const PortalHours = Type.Object({
  /** 1: Monday. */
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
  from: TimeOfDay,
  to: TimeOfDay,
});

/** Of new guests while the Yunxun gateway does not reach the console. */
export const portalAway = ['closed', 'open'] as const;

export const PortalContent = Type.Object({
  methods: Type.Array(PortalMethod, { minItems: 1, maxItems: portalLimits.methods }),
  page: PortalPage,
  whitelist: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: portalLimits.whitelistName, rule: 'nameText' }),
      /** `https://example.com`; the host is let through. */
      link: Type.String({ maxLength: 255, rule: 'siteLink' }),
    }),
    { maxItems: portalLimits.whitelist },
  ),
  /** Target of an online guest; empty shows the remaining time. */
  jump: Type.String({ maxLength: 255 }),
  /** Missing or empty: always open. */
  hours: Type.Optional(Type.Array(PortalHours, { maxItems: portalLimits.hours })),
  /** Default: closed. */
  away: Type.Optional(Words(portalAway)),
  /** Known devices sign in again after this many days; 0: each time. */
  remember_days: Type.Integer({ minimum: 0, maximum: 90 }),
});
export type PortalContent = Static<typeof PortalContent>;
