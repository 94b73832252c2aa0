import type { billingClearing } from '@yunxun/contract';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { StatementLine } from './statement-table.ts';
import { clearingTables, type MovementRow, type Provider } from './tables.ts';

export type Movement = Selectable<MovementRow>;

export interface Unmatched {
  line: StatementLine;
  result: billingClearing.LineResult;
  oursFen: number | null;
}

export interface Batch {
  number: string;
  day: string;
  grossFen: number;
  feeFen: number;
  matched: Movement[];
  unmatched: Unmatched[];
  repeated: number;
}

const isAlike = ({ kind, fen }: StatementLine, movement: Movement) =>
  (kind === 'payment') === (movement.kind === 'payment') && fen < 0 === movement.fen < 0;

/** Assigns each line to one movement: by number of the refund, then by amount, then by order. */
export function matchLines(lines: readonly StatementLine[], movements: readonly Movement[]): Batch[] {
  const [orders, refunds] = [
    grouped(movements, ({ order_no }) => order_no),
    grouped(movements, ({ refund_no }) => refund_no),
  ];
  const taken = new Set<Movement>();
  const batches = new Map<string, Batch>();
  const exact = (line: StatementLine) => (movement: Movement) =>
    movement.refund_no === line.refundNo || (line.refundNo === '' && movement.fen === line.fen);
  const ofLine = (line: StatementLine) =>
    [...(orders.get(line.orderNo) ?? []), ...(line.refundNo === '' ? [] : (refunds.get(line.refundNo) ?? []))].filter(
      (movement) => isAlike(line, movement),
    );

  function find(line: StatementLine): Movement | 'repeated' | undefined {
    const alike = ofLine(line);
    const open = alike.filter((movement) => movement.payout_id === null && !taken.has(movement));
    const found =
      open.find(exact(line)) ?? (alike.some((one) => one.payout_id !== null && exact(line)(one)) ? 'repeated' : null);
    return found ?? open.find(({ fen }) => fen === line.fen) ?? open[0];
  }

  for (const line of lines) {
    const { number, day } = line;
    const batch = batches.get(number) ?? {
      number,
      day,
      grossFen: 0,
      feeFen: 0,
      matched: [],
      unmatched: [],
      repeated: 0,
    };
    batches.set(number, batch);
    const found = line.kind === 'other' ? undefined : find(line);
    if (found === 'repeated') {
      batch.repeated += 1;
      continue;
    }
    batch.grossFen += line.fen;
    batch.feeFen += line.feeFen;
    if (day > batch.day) batch.day = day;
    if (found) {
      taken.add(found);
      batch.matched.push(found);
    }
    if (line.fen !== 0 && found?.fen !== line.fen)
      batch.unmatched.push({ line, result: found ? 'differs' : 'unmatched', oursFen: found?.fen ?? null });
  }
  return [...batches.values()];
}

/** Finds movements of the orders and refunds of a statement. System role. */
export async function movementsOf(tx: Tx, provider: Provider, lines: readonly StatementLine[]): Promise<Movement[]> {
  const numbers = (of: (line: StatementLine) => string) => [...new Set(lines.map(of))].filter((no) => no !== '');
  return clearingTables(tx)
    .selectFrom('clearing_movement')
    .selectAll()
    .where('provider', '=', provider)
    .where(({ or }) =>
      or([
        sql<boolean>`order_no = any(${numbers(({ orderNo }) => orderNo)})`,
        sql<boolean>`refund_no <> '' and refund_no = any(${numbers(({ refundNo }) => refundNo)})`,
      ]),
    )
    .orderBy('at')
    .orderBy('key')
    .execute();
}
