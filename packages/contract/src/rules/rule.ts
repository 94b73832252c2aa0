export type RuleParams = Readonly<Record<string, string | number>>;

/**
 * Text: `validation.<key>`. Empty values fail except for `mac` and "forbidden characters"; skip empty optional fields.
 */
export interface Rule {
  readonly key: string;
  readonly params?: RuleParams;
  test(value: string): boolean;
  /** Returns a more specific error. */
  explain?(value: string): RuleError;
}

export interface RuleError {
  readonly key: `validation.${string}`;
  readonly params: RuleParams;
}

/** Returns null if accepted; an empty value is missing, not malformed. */
export function ruleErrorOf(rule: Rule, value: string): RuleError | null {
  if (rule.test(value)) return null;
  if (!value) return { key: 'validation.required', params: {} };
  return rule.explain?.(value) ?? { key: `validation.${rule.key}`, params: rule.params ?? {} };
}
