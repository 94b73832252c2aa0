import type { CodeName } from '@yunxun/contract';

/** Values that a message's placeholders take. */
export type Params = Readonly<Record<string, string | number>>;

/** A business error of the catalogue: answered as `{code, message, data}` in the caller's language. */
export class Failure extends Error {
  readonly code: CodeName;
  readonly data: unknown;
  readonly params: Params;

  constructor(code: CodeName, options: { data?: unknown; params?: Params } = {}) {
    super(code);
    this.code = code;
    this.data = options.data ?? null;
    this.params = options.params ?? {};
  }
}

/** One complaint about one field: a message key of the catalogue and its values. */
export interface Complaint {
  key: string;
  params?: Params | undefined;
}

/** Input that a rule refuses: HTTP 422 with `errors {field: [messages]}`. */
export class Invalid extends Error {
  readonly errors: Readonly<Record<string, readonly Complaint[]>>;

  constructor(errors: Readonly<Record<string, readonly Complaint[]>>) {
    super('invalid');
    this.errors = errors;
  }
}

/** Refuses one field with one message. @throws Invalid always */
export function invalid(field: string, key: string, params: Params = {}): never {
  throw new Invalid({ [field]: [{ key, params }] });
}
