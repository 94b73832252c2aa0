import { Readable } from 'node:stream';
import { allows, type ExportFormat, type Locale, networksOf, type Permission } from '@yunxun/contract';
import { wallClock } from '@yunxun/contract/local-time';
import { type MessageKey, message } from '@yunxun/contract/messages';
import { withoutBidi } from '@yunxun/contract/plain-text';
import type { FastifyInstance } from 'fastify';
import type { Acting } from '../acting.ts';
import { stampOf, timeText } from '../calendar.ts';
import type { Clock } from '../clock.ts';
import { newToken, tokenHash } from '../crypto/index.ts';
import { type Database, type Tx, tables } from '../database/index.ts';
import type { Schedule, Tasks } from '../jobs/index.ts';
import type { Caller, Identity } from './call.ts';
import { byteOrderMark, type Cell, csvLine } from './csv.ts';
import { envelope } from './envelope.ts';
import type { HttpOptions } from './http-options.ts';
import { callerOf } from './server.ts';
import { type XlsxCell, xlsx } from './xlsx.ts';

interface FileScope<P> {
  accountId: string;
  userId: string;
  filter: P;
}

/** `P`: the filter, as JSON. */
export type TableFile<P, Row> = FileColumns<Row> & (FileInPages<P, Row> | FileByKeys<P, Row>);

/** Requires a `column.<name>` message. */
type ColumnName = MessageKey extends infer K ? (K extends `column.${infer Name}` ? Name : never) : never;
type Columns<Row> = Readonly<Partial<Record<ColumnName, (row: Row) => Cell | Date>>>;

interface FileColumns<Row> {
  name: string;
  /** Checked again at the fetch and each page. */
  permission: Permission;
  columns: Columns<Row>;
  json(row: Row): unknown;
}

interface FileInPages<P, Row> {
  /** Returns rows after one (null: first), in list order. */
  page(tx: Tx, where: FileScope<P>, after: Row | null, limit: number): Promise<readonly Row[]>;
}

/** Keeps the initial order of a changing list. */
interface FileByKeys<P, Row> {
  begin(tx: Tx, where: FileScope<P>, limit: number): Promise<RowsByKeys<Row>>;
}

interface RowsByKeys<Row> {
  keys: readonly string[];
  /** Returns current rows; deleted ones are missing. */
  rows(tx: Tx, keys: readonly string[]): Promise<readonly Row[]>;
}

export interface RawHead {
  name: string;
  type: string;
  /** Null: not known before the last byte. */
  size: number | null;
  rewrite?(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

export interface RawFile<P> {
  permission: Permission;
  head(tx: Tx, where: FileScope<P>): Promise<RawHead | null>;
  /** Returns undefined after the last; `number` counts from 0. */
  piece(tx: Tx, where: FileScope<P>, number: number): Promise<Buffer | undefined>;
}

export interface FileWanted<P> {
  identity: Identity;
  acting: Acting;
  caller: Caller;
  format: ExportFormat;
  timeZone: string;
  filter: P;
}

interface Params {
  format: ExportFormat;
  timeZone: string;
  filter: unknown;
}

interface DownloadTables {
  download: {
    token_hash: Buffer;
    account_id: string;
    bearer_hash: Buffer;
    view_as: string | null;
    locale: string;
    kind: string;
    params: unknown;
    expires_at: Date;
  };
}

type Ticket = DownloadTables['download'];

interface Written {
  timeZone: string;
  locale: Locale;
}

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
};

const secondsToLive = 60;
/** A truncated file says so. */
export const maxRows = 100_000;
const rowsAtOnce = 1000;

export type Downloads = ReturnType<typeof createDownloads>;

/** Stores addresses in the database: any process serves them. */
export function createDownloads({ database, clock }: { database: Database; clock: Clock }) {
  const files = new Map<string, TableFile<unknown, unknown>>();
  const raw = new Map<string, RawFile<unknown>>();

  return {
    offer<P, Row>(kind: string, file: TableFile<P, Row>): void {
      files.set(kind, file as unknown as TableFile<unknown, unknown>);
    },

    offerRaw<P>(kind: string, file: RawFile<P>): void {
      raw.set(kind, file as RawFile<unknown>);
    },

    file: (kind: string) => files.get(kind),
    rawFile: (kind: string) => raw.get(kind),

    /** Works once, for a minute, without a bearer. */
    async open<P>(kind: string, wanted: FileWanted<P>): Promise<{ url: string }> {
      const { acting, caller, identity, format, timeZone, filter } = wanted;
      if (!(files.has(kind) || raw.has(kind)) || !caller.token) throw new Error(`nothing to download as ${kind}`);
      const { token, hash } = newToken();
      const params: Params = { format, timeZone, filter };
      await tables<DownloadTables>(database.system)
        .insertInto('download')
        .values({
          token_hash: hash,
          account_id: acting.accountId,
          bearer_hash: tokenHash(caller.token),
          view_as: identity.viewAs ?? null,
          locale: caller.locale,
          kind,
          params: JSON.stringify(params),
          expires_at: new Date(clock.now().getTime() + secondsToLive * 1000),
        })
        .execute();
      return { url: `/api/v3/download/${token}` };
    },

    async take(token: string): Promise<Ticket | undefined> {
      const ticket = await tables<DownloadTables>(database.system)
        .deleteFrom('download')
        .where('token_hash', '=', tokenHash(token))
        .returningAll()
        .executeTakeFirst();
      return ticket && ticket.expires_at > clock.now() ? ticket : undefined;
    },

    tasks: {
      'download-expire': async () => {
        await tables<DownloadTables>(database.system)
          .deleteFrom('download')
          .where('expires_at', '<=', clock.now())
          .execute();
      },
    } satisfies Tasks,
    schedules: [{ task: 'download-expire', cron: '*/10 * * * *' }] satisfies Schedule[],
  };
}

/** Serves `GET /api/v3/download/<token>` with present rights. */
export function mountDownloads(app: FastifyInstance, options: HttpOptions, downloads: Downloads): void {
  app.get<{ Params: { token: string } }>('/api/v3/download/:token', {
    // a HEAD request would consume the address
    exposeHeadRoute: false,
    config: { rateLimit: { max: 600 * options.limitFactor, timeWindow: 60_000 } },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const caller = callerOf(request);
      const ticket = await downloads.take(request.params.token);
      const kept = ticket && downloads.rawFile(ticket.kind);
      const file = ticket && downloads.file(ticket.kind);
      if (!ticket || !(kept ?? file) || !(await holder(options, ticket, (kept ?? file)!, caller.ip))) {
        return reply.status(404).send(envelope('notFound', caller.locale, null));
      }
      if (kept) {
        const reader = readerOfRaw(options, ticket, kept, caller.ip);
        const head = await reader.head();
        if (!head) return reply.status(404).send(envelope('notFound', caller.locale, null));
        if (head.size !== null) reply.header('content-length', head.size);
        const pieces = reader.pieces();
        return reply
          .type(head.type)
          .header('content-disposition', `attachment; filename="${head.name}"`)
          .send(Readable.from(head.rewrite?.(pieces) ?? pieces));
      }
      if (!file) throw new Error('a file is one of two kinds');
      const { format, timeZone } = ticket.params as Params;
      const pages = pagesOf(options, ticket, file, caller.ip);
      const limited = message(ticket.locale as Locale, 'export.limited', { rows: maxRows });
      const written = { timeZone, locale: ticket.locale as Locale };
      const write = {
        csv: () => csvOf(file, pages, written),
        xlsx: () => xlsxOf(file, pages, written),
        json: () => jsonOf(file, pages, limited),
      }[format];
      const stamp = stampOf(options.clock.now(), timeZone);
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="${file.name}-${stamp}.${format}"`)
        .send(Readable.from(write()));
    },
  });
}

async function holder(
  options: HttpOptions,
  { bearer_hash, account_id, view_as }: Ticket,
  file: { permission: Permission },
  ip: string,
): Promise<Identity | null> {
  const claim = { account: account_id, viewAs: view_as, ip, active: false };
  const identity = await options.authenticate(bearer_hash, claim).catch(() => null);
  return identity && allows(identity.actor, file.permission) ? identity : null;
}

/** Reads pages in short transactions under row security. Returns true if rows remain. */
async function* pagesOf(
  options: HttpOptions,
  ticket: Ticket,
  file: TableFile<unknown, unknown>,
  ip: string,
): AsyncGenerator<readonly unknown[], boolean> {
  const { filter } = ticket.params as Params;
  const next = readerOf(file);
  for (let sent = 0; ; ) {
    const identity = await holder(options, ticket, file, ip);
    if (!identity) throw new Error('the right to the file ended while it was fetched');
    const { actor } = identity;
    const scope = { accountId: ticket.account_id, userId: actor.userId, gwids: networksOf(actor) };
    const wanted = Math.min(rowsAtOnce, maxRows - sent);
    const where = { accountId: ticket.account_id, userId: actor.userId, filter };
    const { page, more } = await options.database.withTenant(scope, (tx) => next(tx, where, wanted));
    if (page.length > 0) yield page;
    sent += wanted;
    if (!more) return false;
    if (sent >= maxRows) return true;
  }
}

/** Reads chunks in short transactions under present row security. */
function readerOfRaw(options: HttpOptions, ticket: Ticket, file: RawFile<unknown>, ip: string) {
  const { filter } = ticket.params as Params;
  async function inScope<T>(work: (tx: Tx, where: FileScope<unknown>) => Promise<T>): Promise<T> {
    const identity = await holder(options, ticket, file, ip);
    if (!identity) throw new Error('the right to the file ended while it was fetched');
    const { actor } = identity;
    const scope = { accountId: ticket.account_id, userId: actor.userId, gwids: networksOf(actor) };
    const where = { accountId: ticket.account_id, userId: actor.userId, filter };
    return options.database.withTenant(scope, (tx) => work(tx, where));
  }
  return {
    head: () => inScope((tx, where) => file.head(tx, where)),
    async *pieces(): AsyncGenerator<Buffer> {
      for (let number = 0; ; number += 1) {
        const piece = await inScope((tx, where) => file.piece(tx, where, number));
        if (!piece) return;
        yield piece;
      }
    },
  };
}

type NextRows = (
  tx: Tx,
  where: FileScope<unknown>,
  wanted: number,
) => Promise<{ page: readonly unknown[]; more: boolean }>;

function readerOf(file: TableFile<unknown, unknown>): NextRows {
  if ('page' in file) {
    let last: unknown = null;
    return async (tx, where, wanted) => {
      const rows = await file.page(tx, where, last, wanted + 1);
      const page = rows.slice(0, wanted);
      last = page.at(-1);
      return { page, more: rows.length > wanted };
    };
  }
  let begun: RowsByKeys<unknown> | null = null;
  let sent = 0;
  return async (tx, where, wanted) => {
    begun ??= await file.begin(tx, where, maxRows + 1);
    const some = begun.keys.slice(sent, sent + wanted);
    sent += wanted;
    return { page: await begun.rows(tx, some), more: begun.keys.length > sent };
  };
}

const plain = (cell: Cell): Cell => (typeof cell === 'string' ? withoutBidi(cell) : cell);

async function* csvOf(
  { columns }: TableFile<unknown, unknown>,
  pages: AsyncGenerator<readonly unknown[], boolean>,
  { timeZone, locale }: Written,
): AsyncGenerator<string> {
  const cellsOf = Object.values(columns);
  const cell = (value: Cell | Date) => (value instanceof Date ? timeText(value, timeZone, 'second') : plain(value));
  yield byteOrderMark + csvLine(headsOf(columns, { timeZone, locale }));
  const more = yield* mapped(pages, (page) => page.map((row) => csvLine(cellsOf.map((of) => cell(of(row))))).join(''));
  if (more) yield csvLine([message(locale, 'export.limited', { rows: maxRows })]);
}

function headsOf(columns: Columns<unknown>, { timeZone, locale }: Written): string[] {
  return (Object.keys(columns) as ColumnName[]).map((name) => {
    const text = message(locale, `column.${name}`);
    return name === 'time' ? `${text} (${timeZone})` : text;
  });
}

function xlsxOf(
  { columns }: TableFile<unknown, unknown>,
  pages: AsyncGenerator<readonly unknown[], boolean>,
  { timeZone, locale }: Written,
): AsyncGenerator<Uint8Array> {
  const cellsOf = Object.values(columns);
  const cell = (value: Cell | Date): XlsxCell =>
    value instanceof Date ? { wallClockMs: wallClock(value.getTime(), timeZone) } : plain(value);
  return xlsx(headsOf(columns, { timeZone, locale }), rowsOf());

  async function* rowsOf(): AsyncGenerator<XlsxCell[][]> {
    const more = yield* mapped(pages, (page) => page.map((row) => cellsOf.map((of) => cell(of(row)))));
    if (more) yield [[message(locale, 'export.limited', { rows: maxRows })]];
  }
}

async function* jsonOf(
  file: TableFile<unknown, unknown>,
  pages: AsyncGenerator<readonly unknown[], boolean>,
  limited: string,
): AsyncGenerator<string> {
  let separator = '';
  yield '{"rows":[';
  const more = yield* mapped(pages, (page) =>
    page
      .map((row) => {
        const text = `${separator}\n${withoutBidi(JSON.stringify(file.json(row)))}`;
        separator = ',';
        return text;
      })
      .join(''),
  );
  yield `\n],"complete":${!more}${more ? `,"note":${JSON.stringify(limited)}` : ''}}\n`;
}

async function* mapped<T>(
  pages: AsyncGenerator<readonly unknown[], boolean>,
  text: (page: readonly unknown[]) => T,
): AsyncGenerator<T, boolean> {
  try {
    for (;;) {
      const { done, value } = await pages.next();
      if (done) return value;
      yield text(value);
    }
  } finally {
    await pages.return(false);
  }
}
