import { billingClearing as contract } from '@yunxun/contract';
import type { Feature } from '../../../feature.ts';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/index.ts';
import { implement } from '../../../platform/http/call.ts';
import { theInstallation } from '../../installation/index.ts';
import { record } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import type { PaymentProvider } from '../orders/payment-provider.ts';
import { yuan } from '../service.ts';
import { enterArrival, listArrivals, reverseArrival } from './arrivals.ts';
import { noticeShortage } from './coverage-notice.ts';
import { importStatement, openStatement, previewStatement } from './imports.ts';
import { listLines, listMovements } from './lists.ts';
import { readOverview } from './overview.ts';
import { enterPayout, listPayouts, reversePayout } from './payouts.ts';
import { knownRows } from './tables.ts';

interface ClearingDeps {
  database: Database;
  clock: Clock;
  providers: readonly PaymentProvider[];
  messages: Messages;
  adminEmail: string | null;
}

const byOf = ({ actor, source }: Acting) => actor?.name ?? source;

/** Keeps the installation's books of money between payment providers and its bank. */
export function createClearing({ database, clock, providers, messages, adminEmail }: ClearingDeps): Feature {
  const hoursEast = (name: string) => providers.find((one) => one.name === name)?.statement.hoursEast ?? 0;
  return {
    objects: {
      clearing_payout: (_tx, ids) => database.withSystem((tx) => knownRows(tx, 'clearing_payout', ids)),
      clearing_arrival: (_tx, ids) => database.withSystem((tx) => knownRows(tx, 'clearing_arrival', ids)),
    },
    tasks: {
      'billing-clearing': () =>
        database.withSystem((tx) => noticeShortage(tx, { messages, adminEmail, now: clock.now() })),
    },
    schedules: [{ task: 'billing-clearing', cron: '23 4 * * *' }],
    routes: () =>
      implement(contract, {
        overview: () => database.withSystem((tx) => readOverview(tx, clock.now())),
        payoutList: ({ input }) => database.withSystem((tx) => listPayouts(tx, input)),
        lineList: ({ input }) => database.withSystem((tx) => listLines(tx, input)),
        movementList: ({ input }) => database.withSystem((tx) => listMovements(tx, input)),
        arrivalList: ({ input }) => database.withSystem((tx) => listArrivals(tx, input)),

        payoutCreate: ({ acting, input }) =>
          database.withSystem(async (tx) => {
            const by = { hoursEast: hoursEast(input.provider), at: clock.now(), by: byOf(acting) };
            const { repeated, ...booked } = await enterPayout(tx, input, by);
            if (!repeated)
              await record(tx, acting, {
                action: 'clearing.book_payout',
                object: theInstallation,
                after: { ...input, movements: booked.movements },
              });
            return booked;
          }),

        payoutReverse: ({ acting, input: { id } }) =>
          database.withSystem(async (tx) => {
            const reversal = { reversed_at: clock.now(), reversed_by: byOf(acting) };
            const { provider, number, day, gross_fen, fee_fen } = await reversePayout(tx, id, reversal);
            await record(tx, acting, {
              action: 'clearing.reverse_payout',
              object: theInstallation,
              before: { provider, number, day, gross: yuan(gross_fen), fee: yuan(fee_fen) },
            });
            return {};
          }),

        arrivalCreate: ({ acting, input }) =>
          database.withSystem(async (tx) => {
            const { id, repeated } = await enterArrival(tx, input, { at: clock.now(), by: byOf(acting) });
            if (!repeated)
              await record(tx, acting, { action: 'clearing.book_arrival', object: theInstallation, after: input });
            return { id };
          }),

        arrivalReverse: ({ acting, input: { id } }) =>
          database.withSystem(async (tx) => {
            const reversal = { reversed_at: clock.now(), reversed_by: byOf(acting) };
            const { provider, reference, day, fen } = await reverseArrival(tx, id, reversal);
            await record(tx, acting, {
              action: 'clearing.reverse_arrival',
              object: theInstallation,
              before: { provider, reference, day, amount: yuan(fen) },
            });
            return {};
          }),

        async statementPreview({ input }) {
          const statement = await openStatement(input);
          return database.withSystem((tx) => previewStatement(tx, input, statement));
        },

        async statementImport({ acting, input }) {
          const statement = await openStatement(input);
          return database.withSystem(async (tx) => {
            const done = await importStatement(tx, input, statement, { at: clock.now(), by: byOf(acting) });
            if (done.booked > 0)
              await record(tx, acting, {
                action: 'clearing.import',
                object: theInstallation,
                after: { provider: input.provider, file: statement.digest, batches: done.batches },
              });
            return done;
          });
        },
      }),
  };
}
