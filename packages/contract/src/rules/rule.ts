/** Values of a message's placeholders. */
export type RuleParams = Readonly<Record<string, string | number>>;

/**
 * One validation rule. Its text is the message `validation.<key>` with `params`.
 * A rule judges a value that was given: except for `mac` and the two "forbidden characters" rules, an empty value
 * is refused, and whoever holds an optional field skips the rule when the field is empty.
 */
export interface Rule {
  readonly key: string;
  readonly params?: RuleParams;
  test(value: string): boolean;
  /** The more exact complaint for a refused value, where the rule has one. */
  explain?(value: string): Complaint;
}

/** What is wrong with a value: a key of the message catalogue and its placeholders. */
export interface Complaint {
  readonly key: `validation.${string}`;
  readonly params: RuleParams;
}

/** The complaint about a value, or null when the rule accepts it. An empty value is called missing, not malformed. */
export function complaintOf(rule: Rule, value: string): Complaint | null {
  if (rule.test(value)) return null;
  if (!value) return { key: 'validation.required', params: {} };
  return rule.explain?.(value) ?? { key: `validation.${rule.key}`, params: rule.params ?? {} };
}
