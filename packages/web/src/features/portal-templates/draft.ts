import type { Data, Input } from '../../app/api.ts';
import { newKey } from '../../app/new-key.ts';
import { settingsOf } from './methods/index.ts';
import type { Typed } from './methods/method-settings.ts';

export type Detail = Data<'/api/v3/auth_template/detail'>;
export type TemplateInput = Omit<Input<'/api/v3/auth_template/create'>, 'name'>;
export type PortalPage = Detail['page'];
export type MethodKind = Detail['methods'][number]['kind'];
export type Slot = 'logo' | 'background' | 'carousel' | 'countdown';
export type Picture = Detail['pictures'][number];

export const limitFields = ['minutes', 'times_per_day', 'up_kbps', 'down_kbps', 'devices'] as const;
export type LimitField = (typeof limitFields)[number];

/** Bounds of the contract (`portalLimits`, `GuestLimits`). */
export const bounds = {
  minutes: [0, 43_200],
  times_per_day: [0, 100],
  up_kbps: [0, 1_000_000],
  down_kbps: [0, 1_000_000],
  devices: [1, 100],
  remember_days: [0, 90],
  seconds: [1, 30],
  whitelist: 50,
  hours: 14,
  carousel: 3,
  title: 60,
  text: 2000,
} as const;

export interface MethodDraft extends Record<LimitField, string> {
  kind: MethodKind;
  own: Typed;
  /** The server has its secret. */
  kept: boolean;
}

export interface LinkDraft {
  ref: string;
  name: string;
  link: string;
}

export interface HoursDraft {
  ref: string;
  days: readonly number[];
  from: string;
  to: string;
}

export interface PageDraft extends Pick<PortalPage, 'title' | 'text' | 'terms' | 'colour'> {
  /** An off block keeps its picture. */
  on: Readonly<Record<Slot, boolean>>;
  logo: string | null;
  background: string | null;
  carousel: readonly string[];
  countdown: { picture: string | null; seconds: string };
}

/** Numbers are texts, as typed. */
export interface Draft {
  name: string;
  methods: readonly MethodDraft[];
  page: PageDraft;
  whitelist: readonly LinkDraft[];
  jump: string;
  hours: readonly HoursDraft[];
  away: Detail['away'];
  remember_days: string;
}

export function newMethod(kind: MethodKind): MethodDraft {
  const limits = { minutes: '240', times_per_day: '0', up_kbps: '0', down_kbps: '0', devices: '1' };
  return { kind, ...limits, own: settingsOf(kind)?.empty ?? {}, kept: false };
}

export const newHours = (): HoursDraft => ({ ref: newKey(), days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '22:00' });

export const newLink = (): LinkDraft => ({ ref: newKey(), name: '', link: '' });

export function emptyDraft(title: { zh: string; en: string }): Draft {
  return {
    name: '',
    methods: [newMethod('one_click')],
    page: {
      title,
      text: { zh: '', en: '' },
      terms: { zh: '', en: '' },
      colour: '#1264d8',
      on: { logo: false, background: false, carousel: false, countdown: false },
      logo: null,
      background: null,
      carousel: [],
      countdown: { picture: null, seconds: '5' },
    },
    whitelist: [],
    jump: '',
    hours: [],
    away: 'closed',
    remember_days: '7',
  };
}

export function pageDraftOf(page: PortalPage): PageDraft {
  const { logo, background, carousel, countdown } = page;
  return {
    title: page.title,
    text: page.text,
    terms: page.terms,
    colour: page.colour,
    on: {
      logo: logo !== null,
      background: background !== null,
      carousel: carousel.length > 0,
      countdown: countdown !== null,
    },
    logo,
    background,
    carousel,
    countdown: { picture: countdown?.picture ?? null, seconds: String(countdown?.seconds ?? 5) },
  };
}

export function draftOf(detail: Detail): Draft {
  return {
    name: detail.name,
    methods: detail.methods.map((shown) => ({
      kind: shown.kind,
      own: settingsOf(shown.kind)?.typedFrom(shown) ?? {},
      kept: shown.password_set || shown.secret_set,
      ...(Object.fromEntries(limitFields.map((field) => [field, String(shown[field])])) as Record<LimitField, string>),
    })),
    page: pageDraftOf(detail.page),
    whitelist: detail.whitelist.map((row, index) => ({ ref: String(index), ...row })),
    jump: detail.jump,
    hours: detail.hours.map((row, index) => ({ ref: String(index), ...row })),
    away: detail.away,
    remember_days: String(detail.remember_days),
  };
}

/** Without pictures of off blocks. */
export function pageOf({ on, logo, background, carousel, countdown, ...texts }: PageDraft): PortalPage {
  const { picture, seconds } = countdown;
  return {
    ...texts,
    logo: on.logo ? logo : null,
    background: on.background ? background : null,
    carousel: on.carousel ? [...carousel] : [],
    countdown: on.countdown && picture !== null ? { picture, seconds: Number(seconds) } : null,
  };
}

/** Returns the page as it is saved, and the blocks that need a picture. */
export function pageInputOf(page: PageDraft): Pick<TemplateInput, 'page' | 'show'> {
  const { on } = page;
  return { page: pageOf(page), show: (Object.keys(on) as Slot[]).filter((slot) => on[slot]) };
}

export function inputOf(draft: Draft): TemplateInput {
  return {
    methods: draft.methods.map(({ kind, own, kept: _kept, ...limits }) => ({
      kind,
      ...(Object.fromEntries(limitFields.map((field) => [field, Number(limits[field])])) as Record<LimitField, number>),
      ...settingsOf(kind)?.inputFrom(own),
    })),
    ...pageInputOf(draft.page),
    whitelist: draft.whitelist.map(({ name, link }) => ({ name, link })),
    jump: draft.jump.trim(),
    hours: draft.hours.map(({ days, from, to }) => ({ days: [...days], from, to })),
    away: draft.away,
    remember_days: Number(draft.remember_days),
  };
}

export const isChanged = (draft: Draft, saved: Draft): boolean =>
  draft.name !== saved.name || JSON.stringify(inputOf(draft)) !== JSON.stringify(inputOf(saved));
