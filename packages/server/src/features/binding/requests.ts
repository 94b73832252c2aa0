import { binding as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { type Kysely, sql } from 'kysely';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { addressKey } from '../../platform/http/address.ts';
import type { EnrolmentAsk } from '../../uplink/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import { binding } from './tables.ts';

type Requests = DataOf<typeof contract.requestList>;

const hour = 60 * 60 * 1000;
/** A request expires when it is not repeated. */
const requestLivesFor = 24 * hour;
/** Open requests per device from different addresses; further ones are not listed. */
const maxSources = 10;

/** Of bound devices without a proof by the old key. */
export function createRequests({ clock, messages }: { clock: Clock; messages: Pick<Messages, 'post'> }) {
  return {
    /** Records a request, or returns its decision. An approval allows one enrolment. */
    async ask(tx: Tx, { accountId, codeId, serial, address, platform, model }: EnrolmentAsk) {
      const at = clock.now();
      const source = addressKey(address);
      const open = await openRequests(tx, accountId, serial, at);
      const known = open.find((row) => row.source === source);
      if (known?.decision && known.until! > at) {
        if (known.decision === 'refuse') return 'refused';
        await remove(tx, accountId, serial, source);
        return 'allowed';
      }
      if (!known && open.length >= maxSources) return 'waiting';
      const reported = { address, platform, model, code_id: codeId, last_at: at };
      const undecided = { decision: null, decided_by: null, until: null };
      if (known && !known.decision) {
        await tracked(tx, accountId, serial, source)
          .set({ ...reported, tries: known.tries + 1 })
          .execute();
        return 'waiting';
      }
      await remove(tx, accountId, serial, source);
      await binding(tx)
        .insertInto('enrolment_request')
        .values({ account_id: accountId, serial, source, ...reported, asked_at: at, tries: 1, ...undecided })
        .execute();
      const device = (await fleetDevices.names(tx, accountId, [serial])).get(serial);
      const gwid = device?.gwid ?? null;
      await record(
        tx,
        { ...bySystem(accountId), source: 'device', ip: address },
        {
          action: 'device.ask_enrol',
          object: { type: 'device', id: serial, name: device?.name ?? serial },
          gwid,
          after: { address, model },
          command: true,
        },
      );
      // one message per device, whatever the number of addresses
      if (open.length === 0) {
        const params = { serial, address };
        const link = '/waiting_devices';
        await messages.post(tx, accountId, { template: 'enrolmentWaits', params, link, gwid });
      }
      return 'waiting';
    },

    /** Returns undecided, and approved but unused requests, newest first. */
    async list(
      tx: Tx,
      accountId: string,
      { page = 1, limit = 10 }: InputOf<typeof contract.requestList>,
    ): Promise<Requests> {
      const now = clock.now();
      const found = binding(tx)
        .selectFrom('enrolment_request as r')
        .where('r.account_id', '=', accountId)
        .where((where) =>
          where.or([
            where.and([where('r.decision', 'is', null), where('r.last_at', '>', since(now))]),
            where.and([where('r.decision', '=', 'allow'), where('r.until', '>', now)]),
          ]),
        );
      const { total } = await found
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await found
        .leftJoin('installer_code as c', (join) =>
          join.onRef('c.account_id', '=', 'r.account_id').onRef('c.id', '=', 'r.code_id'),
        )
        .selectAll('r')
        .select('c.name as code_name')
        .orderBy('r.last_at', 'desc')
        .orderBy('r.serial')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const devices = await fleetDevices.names(
        tx,
        accountId,
        rows.map(({ serial }) => serial),
      );
      const list = rows.map((row) => {
        const device = devices.get(row.serial);
        return {
          serial: row.serial,
          name: device?.name ?? row.serial,
          gwid: device?.gwid ?? null,
          online: device?.online ?? false,
          device_ip: device?.address ?? null,
          ip: row.address,
          platform: row.platform,
          model: row.model,
          code_name: row.code_name,
          tries: row.tries,
          asked_at: row.asked_at.toISOString(),
          last_at: row.last_at.toISOString(),
          allowed_until: row.until?.toISOString() ?? null,
        };
      });
      return { list, total };
    },

    /** @throws Failure notFound */
    async decide(tx: Tx, acting: Acting, input: InputOf<typeof contract.requestDecide>): Promise<void> {
      const { accountId } = acting;
      const { serial, ip, decision } = input;
      const now = clock.now();
      const decided = await tracked(tx, accountId, serial, addressKey(ip))
        .set({
          decision,
          decided_by: acting.actor?.name ?? acting.source,
          until: new Date(now.getTime() + contract.decisionHours[decision] * hour),
        })
        .where('last_at', '>', since(now))
        .returning(['address', 'model'])
        .executeTakeFirst();
      if (!decided) throw new Failure('notFound');
      const device = (await fleetDevices.names(tx, accountId, [serial])).get(serial);
      await record(tx, acting, {
        action: decision === 'allow' ? 'device.allow_enrol' : 'device.refuse_enrol',
        object: { type: 'device', id: serial, name: device?.name ?? serial },
        gwid: device?.gwid ?? null,
        after: { address: decided.address, model: decided.model },
        command: true,
      });
    },

    async prune(db: Kysely<unknown>): Promise<void> {
      const now = clock.now();
      await sql`
        delete from enrolment_request where last_at < ${since(now)} and (until is null or until < ${now})
      `.execute(db);
    },
  };
}

const since = (now: Date) => new Date(now.getTime() - requestLivesFor);

/** The caller holds the serial's lock. */
function openRequests(tx: Tx, accountId: string, serial: string, now: Date) {
  return binding(tx)
    .selectFrom('enrolment_request')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where((where) => where.or([where('until', '>', now), where('last_at', '>', since(now))]))
    .execute();
}

function tracked(tx: Tx, accountId: string, serial: string, source: string) {
  return binding(tx)
    .updateTable('enrolment_request')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('source', '=', source);
}

async function remove(tx: Tx, accountId: string, serial: string, source: string): Promise<void> {
  await binding(tx)
    .deleteFrom('enrolment_request')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('source', '=', source)
    .execute();
}
