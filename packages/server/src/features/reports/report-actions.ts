import { reports as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { message } from '@yunxun/contract/messages';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import { dayOf } from '../../platform/calendar.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid, refuseOutdated } from '../../platform/failure.ts';
import { grouped } from '../../platform/grouped.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { type Outbox, reasonOf } from '../../platform/outbox/index.ts';
import { accounts, members } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { reportsTask } from './deliveries.ts';
import { latestSendDay, nextSendAt } from './report-span.ts';
import * as store from './report-store.ts';
import type { ReportTable } from './tables.ts';

type Saved = InputOf<typeof contract.reportSave>;
type List = DataOf<typeof contract.reportList>;

export interface ReportActionsDeps {
  database: Database;
  clock: Clock;
  outbox: Pick<Outbox, 'toFile' | 'statesOf'>;
}

/** Reports belong to the account: people of some networks see none. */
export function createReportActions({ database, clock, outbox }: ReportActionsDeps) {
  async function need(tx: Tx, acting: Acting, id: string): Promise<ReportTable> {
    requireWholeAccount(acting, 'message.write');
    const found = await store.findReport(tx, acting.accountId, id, true);
    if (!found) throw new Failure('notFound');
    return found;
  }

  async function refuseMembers(accountId: string, ids: readonly string[]): Promise<void> {
    const contacts = await database.withSystem((tx) => members.contactsOf(tx, accountId, ids));
    if (contacts.length < ids.length) invalid('members', 'validation.choice');
    const unreachable = contacts.find(({ email }) => email === null);
    if (unreachable) invalid('members', 'validation.memberNoEmail', { name: unreachable.name });
  }

  return {
    async list(tx: Tx, acting: Acting, locale: Parameters<typeof reasonOf>[0]): Promise<List> {
      requireWholeAccount(acting, 'message.read');
      const { accountId } = acting;
      const { time_zone: zone } = await accounts.accountOf(tx, accountId);
      const reports = await store.readReports(tx, accountId);
      const deliveries = await store.lastDeliveries(tx, accountId);
      const states = await outbox.statesOf(deliveries.flatMap(({ outbox_id }) => outbox_id ?? []));
      const last = grouped(deliveries, (row) => row.report_id);
      const people = [...reports.flatMap(({ members }) => members), ...deliveries.map(({ person_id }) => person_id)];
      const contacts = await database.withSystem((system) => members.contactsOf(system, accountId, people));
      const names = new Map(contacts.map(({ id, name }) => [id, name]));
      return {
        list: reports.map((row) => ({
          id: row.id,
          version: row.version,
          ...givenOf(row),
          members: row.members.filter((id) => names.has(id)),
          next_at: row.enabled ? nextSendAt(row, clock.now(), zone).toISOString() : null,
          last: (last.get(row.id) ?? []).map((delivery) => {
            const { state, error } = states.get(delivery.outbox_id ?? '') ?? delivery;
            return {
              person: names.get(delivery.person_id) ?? message(locale, 'report.former_member'),
              state,
              test: delivery.test,
              error: error === null ? null : reasonOf(locale, error),
              at: delivery.created_at.toISOString(),
            };
          }),
        })),
        time_zone: zone,
        mail: !(await outbox.toFile('email')),
      };
    },

    /** @throws Invalid; Failure changedMeanwhile, nameExists, limitReached */
    async save(tx: Tx, acting: Acting, input: Saved): Promise<DataOf<typeof contract.reportSave>> {
      requireWholeAccount(acting, 'message.write');
      const { accountId } = acting;
      const before = input.id === undefined ? null : await need(tx, acting, input.id);
      refuseOutdated(before, input);
      await refuseMembers(accountId, input.members);
      await refuseCountAndName(tx, accountId, input);
      const now = clock.now();
      const { time_zone: zone } = await accounts.accountOf(tx, accountId);
      const { name, enabled, period, weekday, hour, members } = input;
      const row: ReportTable = {
        account_id: accountId,
        id: before?.id ?? newId(),
        created_at: before?.created_at ?? now,
        version: (before?.version ?? 0) + 1,
        name,
        enabled,
        period,
        weekday,
        hour,
        members,
        // times that have passed are not made up for
        sent_day: latestSendDay(input, now, zone),
      };
      await store.writeReport(tx, row);
      await record(tx, acting, {
        action: 'report.save',
        object: { type: 'report', id: row.id, name },
        before: before && givenOf(before),
        after: givenOf(row),
        inverse: before
          ? { path: contract.reportSave.path, input: { id: row.id, version: row.version, ...givenOf(before) } }
          : { path: contract.reportDelete.path, input: { id: row.id } },
      });
      return { id: row.id };
    },

    async remove(tx: Tx, acting: Acting, id: string): Promise<void> {
      const found = await need(tx, acting, id);
      await store.removeReport(tx, acting.accountId, id);
      await record(tx, acting, {
        action: 'report.delete',
        object: { type: 'report', id, name: found.name },
        before: givenOf(found),
        inverse: { path: contract.reportSave.path, input: givenOf(found) },
      });
    },

    async test(tx: Tx, acting: Acting, id: string): Promise<void> {
      const found = await need(tx, acting, id);
      const now = clock.now();
      const { time_zone: zone } = await accounts.accountOf(tx, acting.accountId);
      const sent_day = dayOf(now, zone);
      await store.addDeliveries(tx, found, { people: found.members, sent_day, test: true, created_at: now });
      await record(tx, acting, {
        action: 'report.test',
        object: { type: 'report', id, name: found.name },
        command: true,
      });
      await enqueue(tx, reportsTask, {}, { key: reportsTask, queue: reportsTask });
    },
  };
}

function givenOf({ name, enabled, period, weekday, hour, members }: ReportTable): Omit<Saved, 'id' | 'version'> {
  return { name, enabled, period, weekday, hour, members };
}

async function refuseCountAndName(tx: Tx, accountId: string, { id, name }: Saved): Promise<void> {
  const others = (await store.readReports(tx, accountId)).filter((one) => one.id !== id);
  const max = contract.reportLimits.reports;
  if (others.length >= max)
    throw new Failure('limitReached', { data: { limit: max }, params: { limit: max, used: others.length } });
  if (others.some((one) => one.name.toLowerCase() === name.toLowerCase())) throw new Failure('nameExists');
}
