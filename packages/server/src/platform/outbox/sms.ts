import { catalogues } from '@yunxun/contract/messages';
import { DeliveryError, type Outgoing, type OwnReason } from './message.ts';

/** Codes of the templates that an SMS provider has approved, by our names for them. */
export type TemplateCodes = Readonly<Record<string, string>>;

/** A mobile of the mainland in the form of E.164. */
export const e164 = (mobile: string) => `+86${mobile}`;

/** The values that a template takes, in the order in which our own Chinese text names them. */
export function placeholdersOf(template: string): string[] {
  const text: string = (catalogues['zh-CN'] as Readonly<Record<string, string>>)[`sms.${template}`] ?? '';
  return [...new Set([...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map((found) => found[1]!))];
}

/** The provider's code for a message's template. @throws DeliveryError when there is none */
export function codeOf(templates: TemplateCodes, { template }: Outgoing): string {
  const code = templates[template];
  if (!code) throw new DeliveryError('template_missing' satisfies OwnReason);
  return code;
}

/** The values of a message in the order of its template, as text: providers take nothing else. */
export function valuesOf({ template, params }: Outgoing): [name: string, value: string][] {
  return placeholdersOf(template).map((name) => [name, String(params[name] ?? '')]);
}
