import { createHash } from 'node:crypto';
import { billingClearing as contract, type DataOf, type InputOf } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { yuan } from '../service.ts';
import { type Batch, matchLines, movementsOf } from './matching.ts';
import { bookPayout, lockProvider, payoutByNumber, presentBatch } from './payouts.ts';
import { readStatement } from './statement-files.ts';

type Given = InputOf<typeof contract.statementImport>;
type Preview = DataOf<typeof contract.statementPreview>;

interface Planned extends Batch {
  booked: boolean;
}

/** @throws Failure tooLarge; Invalid beside `file` */
export async function openStatement({ provider, file: base64 }: Given) {
  const file = Buffer.from(base64, 'base64');
  if (file.length > contract.statementLimits.bytes)
    throw new Failure('tooLarge', { data: { limit: contract.statementLimits.bytes } });
  return { ...(await readStatement(provider, file)), digest: createHash('sha256').update(file).digest('hex') };
}

export type OpenStatement = Awaited<ReturnType<typeof openStatement>>;

const isEmpty = ({ matched, grossFen, feeFen, unmatched }: Batch) =>
  matched.length === 0 && unmatched.length === 0 && grossFen === 0 && feeFen === 0;

async function planOf(tx: Tx, provider: Given['provider'], { lines }: OpenStatement): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const batch of matchLines(lines, await movementsOf(tx, provider, lines))) {
    const known = await payoutByNumber(tx, provider, batch.number);
    planned.push({ ...batch, booked: known !== null || (batch.repeated > 0 && isEmpty(batch)) });
  }
  return planned;
}

export async function previewStatement(tx: Tx, { provider }: Given, statement: OpenStatement): Promise<Preview> {
  const batches = await planOf(tx, provider, statement);
  const lines = batches.flatMap(({ number, unmatched, booked }) =>
    booked
      ? []
      : unmatched.map(({ line, result, oursFen }) => ({
          number,
          result,
          reference: line.reference,
          order_no: line.orderNo,
          amount: yuan(line.fen),
          ours: oursFen === null ? null : yuan(oursFen),
        })),
  );
  return {
    batches: batches.map((batch) => presentBatch(batch, batch.booked)),
    lines: lines.slice(0, contract.statementLimits.shown),
    more: Math.max(0, lines.length - contract.statementLimits.shown),
    pending: statement.pending,
  };
}

/** Books the batches that are not booked yet. */
export async function importStatement(
  tx: Tx,
  { provider }: Given,
  statement: OpenStatement,
  { at, by }: { at: Date; by: string },
): Promise<DataOf<typeof contract.statementImport>> {
  await lockProvider(tx, provider);
  const batches = await planOf(tx, provider, statement);
  const fresh = batches.filter(({ booked }) => !booked);
  for (const batch of fresh) await bookPayout(tx, { ...batch, provider, file: statement.digest, at, by });
  return { batches: batches.map((batch) => presentBatch(batch, batch.booked)), booked: fresh.length };
}
