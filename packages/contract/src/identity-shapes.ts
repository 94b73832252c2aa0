import { type Static, Type } from 'typebox';
import { Nullable, pageSizes, Words } from './shapes.ts';

export const themes = ['light', 'dark', 'system'] as const;
export const homeSections = ['revenue', 'network', 'users', 'alarms'] as const;
export const densities = ['comfortable', 'compact'] as const;
export const locales = ['zh-CN', 'en'] as const;
export type Theme = (typeof themes)[number];
export type HomeSection = (typeof homeSections)[number];
export type Density = (typeof densities)[number];
export type Locale = (typeof locales)[number];
export type PageSize = (typeof pageSizes)[number];

export const Mobile = Type.String({ rule: 'mobile' });
export const Email = Type.String({ rule: 'email', maxLength: 254 });
export const Code = Type.String({ pattern: '^\\d{6}$', hint: 'sixDigits' });
export const NewPassword = Type.String({ rule: 'password' });
export const AnyPassword = Type.String({ minLength: 1, maxLength: 256 });
export const Remember = Type.Optional(Type.Boolean());
export const Zone = Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_+/-]+$', hint: 'timeZone' });

export const CodeSent = Type.Object({
  retry_after: Type.Integer(),
  /** Null for e-mail. */
  left_today: Nullable(Type.Integer()),
  /** No provider: codes go to the outbox file. */
  outbox: Type.Boolean(),
});

const HomeCards = Type.Array(Type.String({ maxLength: 32, pattern: '^[a-z_]+$', hint: 'word' }), {
  maxItems: 40,
  uniqueItems: true,
});

/** Null, or null `order`: defaults of `home_section`. */
export const HomeLayout = Nullable(Type.Object({ order: Nullable(HomeCards), hidden: HomeCards }));
export type HomeLayout = Static<typeof HomeLayout>;

export const Personalization = Type.Object({
  theme: Words(themes),
  home_section: Words(homeSections),
  home_layout: HomeLayout,
  language: Words(locales),
  density: Words(densities),
  /** Null: the account's. */
  time_zone: Nullable(Zone),
  page_size: Type.Unsafe<PageSize>({ type: 'integer', enum: [...pageSizes] }),
});
