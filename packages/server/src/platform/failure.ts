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

/** @throws Invalid without a version; Failure changedMeanwhile if it is not that of `before` */
export function refuseOutdated(
  before: { version: number } | null | undefined,
  { version }: { version?: number | undefined },
): void {
  if (!before) return;
  if (version === undefined) invalid('version', 'validation.required');
  if (version !== before.version) throw new Failure('changedMeanwhile', { data: { version: before.version } });
}

export function invalid(field: string, key: string, params: Params = {}): never {
  throw new Invalid({ [field]: [{ key, params }] });
}

export function tooManyUntil(until: Date, now: Date): Failure {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new Failure('tooManyRequests', { params: { seconds } });
}
