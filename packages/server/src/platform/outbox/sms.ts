import { catalogues } from '@yunxun/contract/messages';
import { DeliveryError, type Outgoing, type OwnReason } from './message.ts';

export type TemplateCodes = Readonly<Record<string, string>>;

export const e164 = (mobile: string) => `+86${mobile}`;

/** Parameters in the order of our Chinese text. */
export function placeholdersOf(template: string): string[] {
  const text: string = (catalogues['zh-CN'] as Readonly<Record<string, string>>)[`sms.${template}`] ?? '';
  return [...new Set([...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map((found) => found[1]!))];
}

export function codeOf(templates: TemplateCodes, { template }: Outgoing): string {
  const code = templates[template];
  if (!code) throw new DeliveryError('template_missing' satisfies OwnReason);
  return code;
}

export function valuesOf({ template, params }: Outgoing): [name: string, value: string][] {
  return placeholdersOf(template).map((name) => [name, String(params[name] ?? '')]);
}
