import { type portalTemplates as contract, type InputOf, portalTemplates } from '@yunxun/contract';
import { rules } from '@yunxun/contract/rules';
import { invalid } from '../../platform/failure.ts';

export type PortalContent = contract.PortalContent;
type Method = PortalContent['methods'][number];
type Given = Omit<InputOf<typeof contract.create>, 'name'>;

/** Content without its secrets. */
export interface Stored extends Omit<PortalContent, 'methods'> {
  methods: (Omit<Method, 'password' | 'client_secret'> & {
    [field in 'issuer' | 'client_id' | 'agent_id']?: string | undefined;
  })[];
}

/** Of identity providers. */
export type ClientSecrets = Partial<Record<portalTemplates.LoginMethodKind, string>>;

/** Secrets sealed beside it. */
export interface Draft {
  content: Stored;
  /** Null without that method. */
  password: string | null;
  clientSecrets: ClientSecrets;
}

const appFields = {
  oidc: ['issuer', 'client_id'],
  wechat: ['client_id'],
  wecom: ['client_id', 'agent_id'],
  dingtalk: ['client_id'],
} as const satisfies Record<portalTemplates.LoginMethodKind, readonly string[]>;

const isLogin = portalTemplates.isLoginMethod;

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
  const at = methods.findIndex(({ kind }) => kind === 'password');
  const password = at === -1 ? null : (methods[at]!.password ?? kept?.password ?? null);
  if (at !== -1 && password === null) invalid(`methods.${at}.password`, 'validation.required');
  checkPage(page, show);
  if (jump !== '' && !rules.url.test(jump)) invalid('jump', 'validation.url');
  const noSponsor = methods.findIndex(({ kind, sponsors }) => kind === 'sponsor' && !sponsors);
  if (noSponsor !== -1) invalid(`methods.${noSponsor}.sponsors`, 'validation.required');
  const clientSecrets: ClientSecrets = {};
  for (const [index, method] of methods.entries()) {
    if (!isLogin(method.kind)) continue;
    for (const field of appFields[method.kind])
      if (method[field] === undefined) invalid(`methods.${index}.${field}`, 'validation.required');
    const before = kept?.content.methods.find(({ kind }) => kind === method.kind);
    const isSameApp = appFields[method.kind].every((field) => before?.[field] === method[field]);
    const secret = method.client_secret ?? (isSameApp ? kept?.clientSecrets[method.kind] : undefined);
    if (secret === undefined) invalid(`methods.${index}.client_secret`, 'validation.required');
    clientSecrets[method.kind] = secret;
  }
  const content = { methods: methods.map(bare), page, whitelist, jump, hours, away, remember_days };
  return { content, password, clientSecrets };
}

const lower = (text: string) => text.toLowerCase();

/** Keeps what belongs to the kind, without secrets. */
function bare(given: Given['methods'][number]): Stored['methods'][number] {
  const { password: _password, client_secret: _secret, sponsors, every, issuer, client_id, agent_id, ...rest } = given;
  const { allowed = [], ...method } = rest;
  const withOwn = (fields: Partial<typeof given>) => ({ ...method, ...fields });
  if (method.kind === 'sponsor') return withOwn({ sponsors: sponsors!.map(lower) });
  if (method.kind === 'dynamic_password') return withOwn({ every: every ?? 'day' });
  if (!isLogin(method.kind)) return method;
  const rules = allowed.map((rule) => (rule.startsWith('@') ? lower(rule) : rule));
  const { kind } = method;
  if (kind === 'oidc') return withOwn({ issuer, client_id, allowed: rules });
  return withOwn({
    client_id,
    ...(kind === 'wecom' ? { agent_id } : {}),
    ...(kind === 'dingtalk' ? { allowed: rules } : {}),
  });
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

export function present({ content, password, clientSecrets }: Draft) {
  return {
    ...content,
    hours: content.hours ?? [],
    away: content.away ?? 'closed',
    methods: content.methods.map((method) => ({
      ...method,
      password_set: method.kind === 'password' && password !== null,
      secret_set: isLogin(method.kind) && clientSecrets[method.kind] !== undefined,
    })),
  };
}

/** Includes secrets. */
export function wholeOf({ content, password, clientSecrets }: Draft): PortalContent {
  return {
    ...content,
    methods: content.methods.map((method) => {
      if (method.kind === 'password') return { ...method, kind: 'password', password: password ?? '' };
      if (!isLogin(method.kind)) return method as Method;
      return { ...method, client_secret: clientSecrets[method.kind] ?? '' } as Method;
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
