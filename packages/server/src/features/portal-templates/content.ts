import {
  type portalTemplates as contract,
  type GuestLimits,
  type InputOf,
  type MethodShape,
  type PortalMethodKind,
  portalShapes,
} from '@yunxun/contract';
import { probeUnder } from '@yunxun/contract/probe-hosts';
import { rules, siteHostOf } from '@yunxun/contract/rules';
import { invalid } from '../../platform/failure.ts';

export type PortalContent = contract.PortalContent;
type Method = PortalContent['methods'][number];
type Given = Omit<InputOf<typeof contract.create>, 'name'>;
type GivenMethod = Given['methods'][number];

type StoredMethod = Pick<GivenMethod, 'kind' | keyof GuestLimits> & Readonly<Record<string, unknown>>;

/** Content without its secrets. */
export interface Stored extends Omit<PortalContent, 'methods'> {
  methods: StoredMethod[];
}

export type Secrets = Partial<Record<PortalMethodKind, string>>;

/** Secrets are sealed beside it. */
export interface Draft {
  content: Stored;
  secrets: Secrets;
}

const shapeOf = (kind: PortalMethodKind): MethodShape => portalShapes.methodShapes[kind];
const secretOf = (kind: PortalMethodKind): string | undefined => Object.keys(shapeOf(kind).secret)[0];

/**
 * Separates secrets; `kept` serves methods without theirs. A client secret serves only the app that it was saved with:
 * an editor who does not know it must not have it sent to an issuer of their own.
 * @throws Invalid
 */
export function draftFrom(
  { methods, page, show = [], whitelist, jump, hours = [], away = 'closed', remember_days }: Given,
  kept: Draft | null,
): Draft {
  for (const [index, { kind }] of methods.entries())
    if (methods.findIndex((one) => one.kind === kind) !== index)
      invalid(`methods.${index}.kind`, 'validation.methodTwice');
  const secrets: Secrets = {};
  const stored = methods.map((given, index) => {
    const method = storedFrom(given, `methods.${index}`);
    const secret = secretFrom(given, method, kept);
    if (secret === undefined) invalid(`methods.${index}.${secretOf(given.kind)}`, 'validation.required');
    if (secret !== null) secrets[given.kind] = secret;
    return method;
  });
  checkPage(page, show);
  for (const [index, { link }] of whitelist.entries()) {
    const host = probeUnder(siteHostOf(link) ?? '');
    if (host) invalid(`whitelist.${index}.link`, 'validation.probeHost', { host });
  }
  if (jump !== '' && !rules.url.test(jump)) invalid('jump', 'validation.url');
  return { content: { methods: stored, page, whitelist, jump, hours, away, remember_days }, secrets };
}

/** Drops the secret and fields of other kinds. @throws Invalid beside a missing field */
function storedFrom(given: GivenMethod, at: string): StoredMethod {
  const { settings, defaults = {}, stored } = shapeOf(given.kind);
  const values: Readonly<Record<string, unknown>> = { ...defaults, ...given };
  const own = Object.keys(settings).map((field) => {
    if (values[field] === undefined) invalid(`${at}.${field}`, 'validation.required');
    return [field, values[field]] as const;
  });
  const { kind, minutes, times_per_day, up_kbps, down_kbps, devices } = given;
  const settled = Object.fromEntries(own);
  return { kind, minutes, times_per_day, up_kbps, down_kbps, devices, ...(stored?.(settled) ?? settled) };
}

/** Returns undefined without a required secret, null if the method needs none. */
function secretFrom(given: GivenMethod, method: StoredMethod, kept: Draft | null): string | null | undefined {
  const { kind } = given;
  const field = secretOf(kind);
  if (field === undefined) return null;
  const typed = (given as Readonly<Record<string, unknown>>)[field];
  if (typeof typed === 'string') return typed;
  const before = kept?.content.methods.find((one) => one.kind === kind);
  const isSame = (shapeOf(kind).secretOf ?? []).every((name) => before?.[name] === method[name]);
  return isSame ? kept?.secrets[kind] : undefined;
}

/** Checks beyond the schema. @throws Invalid */
export function checkPage(page: PortalContent['page'], show: NonNullable<Given['show']>): void {
  for (const slot of show) {
    const picture = page[slot];
    if (picture === null || (Array.isArray(picture) && picture.length === 0))
      invalid(`page.${slot}`, 'validation.required');
  }
  if (page.title.zh.replace(/[\p{Cf}\s]/gu, '') === '') invalid('page.title.zh', 'validation.required');
  for (const field of ['text', 'terms'] as const)
    if (page[field].zh.trim() === '' && page[field].en.trim() !== '')
      invalid(`page.${field}.zh`, 'validation.required');
}

export function present({ content, secrets }: Draft) {
  const isSet = ({ kind }: StoredMethod, field: string) => secretOf(kind) === field && secrets[kind] !== undefined;
  return {
    ...content,
    hours: content.hours ?? [],
    away: content.away ?? 'closed',
    methods: content.methods.map((method) => ({
      ...method,
      password_set: isSet(method, 'password'),
      secret_set: isSet(method, 'client_secret'),
    })),
  };
}

/** Includes secrets. */
export function wholeOf({ content, secrets }: Draft): PortalContent {
  return {
    ...content,
    methods: content.methods.map((method) => {
      const field = secretOf(method.kind);
      return { ...method, ...(field === undefined ? {} : { [field]: secrets[method.kind] ?? '' }) } as Method;
    }),
  };
}

export function picturesOn({ logo, background, carousel, countdown }: PortalContent['page']) {
  return [
    ...(logo ? [{ slot: 'logo', field: 'page.logo', id: logo }] : []),
    ...(background ? [{ slot: 'background', field: 'page.background', id: background }] : []),
    ...carousel.map((id, index) => ({ slot: 'carousel', field: `page.carousel.${index}`, id })),
    ...(countdown ? [{ slot: 'countdown', field: 'page.countdown.picture', id: countdown.picture }] : []),
  ];
}
