import type { CodeName } from '@yunxun/contract';

export type Params = Readonly<Record<string, string | number>>;

/** Business error, answered as `{code, message, data}` in the caller's language. */
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

export interface FieldError {
  key: string;
  params?: Params | undefined;
}

/** Invalid input: HTTP 422 with `errors {field: [messages]}`. */
export class Invalid extends Error {
  readonly errors: Readonly<Record<string, readonly FieldError[]>>;

  constructor(errors: Readonly<Record<string, readonly FieldError[]>>) {
    super('invalid');
    this.errors = errors;
  }
}

export function invalid(field: string, key: string, params: Params = {}): never {
  throw new Invalid({ [field]: [{ key, params }] });
}
