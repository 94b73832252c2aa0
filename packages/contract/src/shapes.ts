import { type TSchema, Type } from 'typebox';

/** Page sizes a list may have (spec section 7). */
export const pageSizes = [10, 20, 50] as const;

/** A uuid. */
export const Id = Type.String({ format: 'uuid' });
/** A time on the wire: ISO 8601 in UTC. */
export const Time = Type.String({ format: 'date-time' });
/** A device serial: twelve lower-case hexadecimal digits. */
export const Serial = Type.String({ pattern: '^[0-9a-f]{12}$' });
/** Nothing. */
export const Empty = Type.Object({});
/** A job was started. */
export const JobStarted = Type.Object({ job_id: Id });

/** A value or null. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** The enumeration of a list of words. */
export function Words<const T extends readonly string[]>(words: T) {
  // JSON schema knows no empty enumeration: none of the words is nothing at all
  return Type.Unsafe<T[number]>(words.length > 0 ? { type: 'string', enum: [...words] } : { not: {} });
}

/** The common fields of a list call; `filters` come beside them. `sort` names one of the given columns. */
export function ListQuery<const S extends readonly string[], F extends Record<string, TSchema>>(sorts: S, filters: F) {
  return Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    sort: Type.Optional(Words(sorts)),
    order: Type.Optional(Words(['asc', 'desc'])),
    keyword: Type.Optional(Type.String({ maxLength: 100 })),
    ...filters,
  });
}

/** The answer of a list call. */
export function ListOf<T extends TSchema>(row: T) {
  return Type.Object({ list: Type.Array(row), total: Type.Integer() });
}

/** Formats that a list may be exported in. */
export const exportFormats = ['csv', 'xlsx', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** A one-time address of a file, to be opened within 60 s. */
export const Download = Type.Object({ url: Type.String() });
