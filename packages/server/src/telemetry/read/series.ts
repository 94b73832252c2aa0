import type { Tx } from '../../platform/database/index.ts';
import type { Lines, Measures, SeriesRow, Span, TotalsRow } from './types.ts';

/** What a series is asked for. */
export interface SeriesQuery extends Lines, Span {
  step: '5m' | '1h' | '1d';
  /** IANA zone of the days; only for the step of a day. */
  zone?: string;
}

/**
 * One row for each line and bucket that has reports, in the order of line and bucket: a bucket that is missing is a gap.
 * The numbers hold everything that is committed: what is not rolled up yet is read from the reports.
 */
export async function series(_tx: Tx, _accountId: string, _query: SeriesQuery): Promise<SeriesRow[]> {
  throw new Error('not yet');
}

/** The numbers of one line over a span; all zero and null where there are no reports. */
export async function totals(_tx: Tx, _accountId: string, _query: Lines & Span): Promise<Measures> {
  throw new Error('not yet');
}

/** The numbers of each network or device over a span, those without reports left out. */
export async function totalsEach(
  _tx: Tx,
  _accountId: string,
  _query: Lines & Span & { order?: { by: keyof Measures; descending: boolean; limit: number } },
): Promise<TotalsRow[]> {
  throw new Error('not yet');
}

/** The last whole hours that are rolled up: rankings over many devices read these and stay quick. */
export async function closedHours(_tx: Tx, _hours: number, _now: Date): Promise<Span> {
  throw new Error('not yet');
}
