/** `code`: business code, else HTTP status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly status: number;
  /** Messages per field of a 422, localized. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
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

  field(name: string): string | undefined {
    return this.fields[name]?.[0];
  }
}

export const UNREACHABLE = 0;
export const CANCELLED = -1;

/** Returns whether it concerns the input, not network, limits or proxies. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== UNREACHABLE && error.status < 429;
}

/** Returns whether the address names nothing: its form is wrong, or it is deleted. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 4113 || error.code === 422);
}
