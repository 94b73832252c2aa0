import { binding as contract, serialTransfers } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { EnrolmentGate } from '../../uplink/index.ts';
import type { UnbindParticipant } from '../fleet/index.ts';
import type { Messages } from '../messages/index.ts';
import { createCodes, knownCodes, listCodes, listUses, noteUse, pruneCodes, resolveCode } from './codes.ts';
import { createRequests } from './requests.ts';
import { binding } from './tables.ts';
import { createTransfers, type TransferFleet } from './transfers.ts';

export interface BindingDeps {
  database: Database;
  clock: Clock;
  messages: Pick<Messages, 'post'>;
  fleet: TransferFleet;
}

/** Limited codes, and approvals for devices bound before. */
export function createBinding({ database, clock, messages, fleet }: BindingDeps) {
  const codes = createCodes({ database, clock });
  const requests = createRequests({ clock, messages });
  const transfers = createTransfers({ database, clock, messages, fleet });
  const gate: EnrolmentGate = {
    resolve: resolveCode,
    ask: requests.ask,
    used: (tx: Tx, { accountId, codeId, serial, address, at }) =>
      noteUse(tx, { accountId, codeId }, { serial, address, at }),
  };
  return {
    gate,
    routes: (): Route[] => [
      ...implement(contract, {
        codeList: ({ tx, acting, input }) => listCodes(tx, acting.accountId, clock.now(), input),
        codeCreate: ({ acting, input }) => codes.create(acting, input),
        async codeWithdraw({ acting, input }) {
          await codes.withdraw(acting, input.id);
          return {};
        },
        useList: ({ tx, acting, input }) => listUses(tx, acting.accountId, input),
        requestList: ({ tx, acting, input }) => requests.list(tx, acting.accountId, input),
        async requestDecide({ tx, acting, input }) {
          await requests.decide(tx, acting, input);
          return {};
        },
      }),
      ...implement(serialTransfers, {
        serialFind: ({ input }) => transfers.find(input.serial),
        serialList: ({ input }) => transfers.listAll(input),
        serialTransfer: ({ acting, input }) => transfers.request(acting, input),
        async serialWithdraw({ acting, input }) {
          await transfers.withdraw(acting, input);
          return {};
        },
        transferList: ({ tx, acting }) => transfers.listWaiting(tx, acting),
        async transferObject({ acting, input }) {
          await transfers.object(acting, input);
          return {};
        },
      }),
    ],
    objects: { binding_code: knownCodes, serial_transfer: transfers.known },
    /** Ends requests and waits: an unbound device needs no approval. */
    unbind: {
      part: 'certificate',
      async remove(tx, { accountId, serials }) {
        await binding(tx)
          .deleteFrom('enrolment_request')
          .where('account_id', '=', accountId)
          .where('serial', 'in', [...serials, ''])
          .execute();
        await transfers.unbound(tx, accountId, serials);
        return 0;
      },
    } satisfies UnbindParticipant,
    tasks: {
      'binding-transfers': () => transfers.moveDue(),
      'binding-prune': async () => {
        await database.withSystem((tx) => pruneCodes(tx, clock.now()));
        await requests.prune(database.system);
      },
    },
    schedules: [
      { task: 'binding-prune', cron: '47 * * * *' },
      { task: 'binding-transfers', cron: '*/10 * * * *' },
    ],
  };
}
