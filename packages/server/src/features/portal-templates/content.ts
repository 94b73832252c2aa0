import type { portalTemplates as contract, InputOf } from '@yunxun/contract';
import { rules } from '@yunxun/contract/rules';
import { invalid } from '../../platform/failure.ts';

export type PortalContent = contract.PortalContent;
type Method = PortalContent['methods'][number];
type Given = Omit<InputOf<typeof contract.create>, 'name'>;

/** Content without its password. */
export interface Stored extends Omit<PortalContent, 'methods'> {
  methods: Omit<Method, 'password'>[];
}

/** Password sealed beside it; null without that method. */
export interface Draft {
  content: Stored;
  password: string | null;
}

/**
 * Separates the password; `kept` serves a method without one.
 * @throws Invalid
 */
export function draftFrom(
  { methods, page, show = [], whitelist, jump, hours = [], away = 'closed', remember_days }: Given,
  kept: string | null,
): Draft {
  for (const [index, { kind }] of methods.entries())
    if (methods.findIndex((one) => one.kind === kind) !== index)
      invalid(`methods.${index}.kind`, 'validation.methodTwice');
  const at = methods.findIndex(({ kind }) => kind === 'password');
  const password = at === -1 ? null : (methods[at]!.password ?? kept);
  if (at !== -1 && password === null) invalid(`methods.${at}.password`, 'validation.required');
  checkPage(page, show);
  for (const [index, { link }] of whitelist.entries())
    if (!rules.url.test(link)) invalid(`whitelist.${index}.link`, 'validation.url');
  if (jump !== '' && !rules.url.test(jump)) invalid('jump', 'validation.url');
  const noSponsor = methods.findIndex(({ kind, sponsors }) => kind === 'sponsor' && !sponsors);
  if (noSponsor !== -1) invalid(`methods.${noSponsor}.sponsors`, 'validation.required');
  const bare = methods.map(({ password: _sealed, sponsors, ...method }) =>
    method.kind === 'sponsor' ? { ...method, sponsors: sponsors!.map((address) => address.toLowerCase()) } : method,
  );
  return { content: { methods: bare, page, whitelist, jump, hours, away, remember_days }, password };
}

/** Checks beyond the schema. @throws Invalid */
export function checkPage(page: PortalContent['page'], show: NonNullable<Given['show']>): void {
  for (const slot of show) {
    const picture = page[slot];
    if (picture === null || (Array.isArray(picture) && picture.length === 0))
      invalid(`page.${slot}`, 'validation.required');
  }
  if (page.title.zh.trim() === '') invalid('page.title.zh', 'validation.required');
  for (const field of ['text', 'terms'] as const)
    if (page[field].zh.trim() === '' && page[field].en.trim() !== '')
      invalid(`page.${field}.zh`, 'validation.required');
}

export function present({ content, password }: Draft) {
  return {
    ...content,
    ...{ hours: content.hours ?? [], away: content.away ?? 'closed' },
    methods: content.methods.map((method) => ({
      ...method,
      password_set: method.kind === 'password' && password !== null,
    })),
  };
}

/** Includes the password. */
export function wholeOf({ content, password }: Draft): PortalContent {
  return {
    ...content,
    methods: content.methods.map((method) =>
      method.kind === 'password' ? { ...method, kind: 'password', password: password ?? '' } : (method as Method),
    ),
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
