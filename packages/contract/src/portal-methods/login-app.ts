import { Type } from 'typebox';

const maxRules = 20;

export const issuer = Type.String({ maxLength: 255, pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$', hint: 'url' });
/** AppID of WeChat, CorpID of WeCom. */
export const client_id = Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', hint: 'ascii' });
export const secret = {
  client_secret: Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', hint: 'ascii' }),
};
/** Who may enter: `@example.com` for verified addresses, or `claim=value`; empty: all. */
export const allowed = Type.Array(
  Type.String({ maxLength: 128, pattern: '^(@[^\\s@=]+\\.[^\\s@=]+|[\\w:/.-]+=\\S+)$', hint: 'allowedGuest' }),
  { maxItems: maxRules, uniqueItems: true },
);

/** Lowers the case of addresses only: claims are case-sensitive. */
export const withRules = ({ allowed: rules, ...settings }: Readonly<Record<string, unknown>>) => ({
  ...settings,
  allowed: (rules as string[]).map((rule) => (rule.startsWith('@') ? rule.toLowerCase() : rule)),
});
