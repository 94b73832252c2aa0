import { type TSchema, Type } from 'typebox';

/** Fixed (docs/adr/0039). */
export const pageSizes = [10, 20, 50] as const;

export const Id = Type.String({ format: 'uuid' });
/** ISO 8601 in UTC. */
export const Time = Type.String({ format: 'date-time' });
/** Calendar day: `2026-11-20`. */
export const Day = Type.String({ format: 'date', hint: 'date' });
export const Serial = Type.String({ pattern: '^[0-9a-f]{12}$', hint: 'serial' });
/** Raised by each change; a change names the one that was read. */
export const Version = Type.Integer({ minimum: 1 });
export const Empty = Type.Object({});
/** For a second person. */
export const Waiting = Type.Object({ waiting: Type.Boolean() });
export const JobStarted = Type.Object({ job_id: Id });

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export function Words<const T extends readonly string[]>(words: T) {
  // JSON Schema forbids an empty enum
  return Type.Unsafe<T[number]>(words.length > 0 ? { type: 'string', enum: [...words] } : { not: {} });
}

/** Remarks, people, addresses, tags and notes; kept without outer blanks. */
export const FreeText = (maxLength: number, minLength = 1) =>
  Type.String({ rule: 'freeText', trim: true, minLength, maxLength });

/** Looked up without its outer blanks. */
export const Keyword = Type.Optional(Type.String({ maxLength: 100, trim: true }));

export function ListQuery<const S extends readonly string[], F extends Record<string, TSchema>>(sorts: S, filters: F) {
  return Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    sort: Type.Optional(Words(sorts)),
    order: Type.Optional(Words(['asc', 'desc'])),
    keyword: Keyword,
    ...filters,
  });
}

export function ListOf<T extends TSchema>(row: T) {
  return Type.Object({ list: Type.Array(row), total: Type.Integer() });
}

export const exportFormats = ['csv', 'xlsx', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** One-time, valid for 60 s. */
export const Download = Type.Object({ url: Type.String() });
