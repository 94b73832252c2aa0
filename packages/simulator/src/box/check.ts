export interface Findings {
  errors: string[];
  warnings: string[];
}

/** Returns the firmware's error text for a value, or null. */
export type Rule = (value: unknown) => string | null;

export const anyText: Rule = (value) => (typeof value === 'string' ? null : 'must be of type string');

export const flag: Rule = (value) => (typeof value === 'boolean' ? null : 'must be of type boolean');

export const list: Rule = (value) => (Array.isArray(value) ? null : 'must be of type array');

export function text(least: number, max: number): Rule {
  return (value) => {
    if (typeof value !== 'string') return 'must be of type string';
    if (value.length < least) return `must be at least ${least} characters long`;
    return value.length > max ? `must be at most ${max} characters long` : null;
  };
}

export function oneOf(...allowed: readonly (string | number)[]): Rule {
  const words = `must be one of ${allowed.map((entry) => JSON.stringify(entry)).join(', ')}`;
  return (value) => ((allowed as readonly unknown[]).includes(value) ? null : words);
}

export function whole(least: number, max: number): Rule {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be of type integer';
    if (value < least) return `must be bigger than or equal to ${least}`;
    return value > max ? `must be lower than or equal to ${max}` : null;
  };
}

export function each(rule: Rule): Rule {
  return (value) => list(value) ?? (value as unknown[]).map(rule).find((fault) => fault !== null) ?? null;
}

export function either(first: Rule, second: Rule): Rule {
  return (value) => (first(value) === null || second(value) === null ? null : 'must match exactly one constraint');
}

const octet = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const cidrForm = new RegExp(`^(auto|${octet}(\\.${octet}){3})/([0-9]|[12]\\d|3[0-2])$`);

export const cidr: Rule = (value) =>
  typeof value === 'string' && cidrForm.test(value) ? null : 'must be a valid IPv4 CIDR';

/** Checks present keys; unknown ones pass, as in the firmware. */
export function checkKeys(
  path: string,
  object: Record<string, unknown>,
  rules: Readonly<Record<string, Rule>>,
  findings: Findings,
): void {
  for (const [key, rule] of Object.entries(rules)) {
    if (object[key] === undefined) continue;
    const fault = rule(object[key]);
    if (fault !== null) findings.errors.push(`[E] (In ${path}/${key}) Value ${fault}`);
  }
}
