import { type Static, type TObject, type TOptional, type TProperties, type TSchema, Type } from 'typebox';
import { methodShapes } from './portal-methods/index.ts';
import { Id, Nullable, Words } from './shapes.ts';

export { methodShapes };

type Shapes = typeof methodShapes;

/** One to eight, each at most once, in the order of the page. */
export type PortalMethodKind = keyof Shapes;
export const portalMethods = Object.keys(methodShapes) as PortalMethodKind[];

type Own<K extends PortalMethodKind> = Shapes[K]['settings'] & Shapes[K]['secret'];

export type SettingsMethodKind = {
  [K in PortalMethodKind]: keyof Own<K> extends never ? never : K;
}[PortalMethodKind];

export type LoginMethodKind = {
  [K in PortalMethodKind]: Shapes[K] extends { login: true } ? K : never;
}[PortalMethodKind];
export const isLoginMethod = (kind: string): kind is LoginMethodKind =>
  Object.hasOwn(methodShapes, kind) && 'login' in methodShapes[kind as PortalMethodKind];
export const loginMethods = portalMethods.filter(isLoginMethod);

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
} as const;

/** Zero means no limit, except `devices`. */
const guestLimits = {
  /** Of a session. */
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

type Values<P> = { -readonly [N in keyof P]: P[N] extends TSchema ? Static<P[N]> : never };
type MethodOf<K extends PortalMethodKind> = { kind: K } & GuestLimits & Values<Own<K>>;

export type PortalMethod = { [K in PortalMethodKind]: MethodOf<K> }[PortalMethodKind];

const AnyMethod = Type.Unsafe<PortalMethod>(
  Type.Union(
    portalMethods.map((kind) => {
      const { settings, secret } = methodShapes[kind];
      return Type.Object({ kind: Type.Literal(kind), ...guestLimits, ...settings, ...secret });
    }),
  ),
);

type Whole<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

function fieldsOf<P extends 'settings' | 'secret'>(part: P): TObject<Optional<Whole<Shapes[PortalMethodKind][P]>>> {
  const all: TProperties = Object.assign({}, ...Object.values(methodShapes).map((shape) => shape[part]));
  const optional = Object.entries(all).map(([name, schema]) => [name, Type.Optional(schema)] as const);
  return Type.Object(Object.fromEntries(optional)) as never;
}

type Optional<P> = { [N in keyof P]: P[N] extends TSchema ? TOptional<P[N]> : never };

export const MethodSettings = fieldsOf('settings');
export const MethodSecrets = fieldsOf('secret');

/** Chinese is required; an empty English text shows the Chinese one. */
export const PortalText = (maximum: number) =>
  Type.Object({
    zh: Type.String({ maxLength: maximum }),
    en: Type.String({ maxLength: maximum }),
  });

const Picture = Nullable(Id);

export const PortalPage = Type.Object({
  title: PortalText(portalLimits.title),
  /** Ids of the account's portal pictures. */
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
  methods: Type.Array(AnyMethod, { minItems: 1, maxItems: portalLimits.methods }),
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
