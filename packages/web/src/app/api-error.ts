/** Whatever went wrong with a call, in one shape. `code` is a business code, or the HTTP status when there was none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly status: number;
  /** Messages per field of a 422, in the page's language. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What the code's catalogue entry says beside it (`permission`, `need`, `limit`, …). */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds to wait after a 429. */
  readonly retryAfter: number | null;
  readonly requestId: string | null;

  constructor(
    code: number,
    message: string,
    more: {
      status?: number;
      fields?: Record<string, string[]>;
      data?: unknown;
      retryAfter?: number | null;
      requestId?: string | null;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.status = more.status ?? 200;
    this.fields = more.fields ?? {};
    this.data = typeof more.data === 'object' && more.data !== null ? (more.data as Record<string, unknown>) : {};
    this.retryAfter = more.retryAfter ?? null;
    this.requestId = more.requestId ?? null;
  }

  /** First message of a field, for the line beside it. */
  field(name: string): string | undefined {
    return this.fields[name]?.[0];
  }
}

/** The console could not be reached at all. */
export const UNREACHABLE = 0;
/** The person was asked to confirm and did not; nothing is said about it, and the form stays as it was. */
export const CANCELLED = -1;

/** Whether an error is about what was typed: no missing answer, no "too many requests", no broken proxy. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== UNREACHABLE && error.status < 429;
}
