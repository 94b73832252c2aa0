import type { Locale } from '@yunxun/contract';
import { message } from '@yunxun/contract/messages';
import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Tx } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { renderPdf } from '../../platform/pdf/index.ts';
import { accounts, type Contact, members } from '../identity/index.ts';
import { mailHtml, mailText } from './mail-html.ts';
import { readReport } from './report-data.ts';
import { documentOf, type ReportDocument } from './report-document.ts';
import { latestSendDay, spanOf } from './report-span.ts';
import { addDeliveries, findReport } from './report-store.ts';
import { type DeliveryTable, type ReportTable, reportTables } from './tables.ts';

export const reportsTask = 'reports';

export interface DeliveryDeps {
  database: Database;
  clock: Clock;
  log: Log;
  outbox: Outbox;
  config: { publicUrl: string };
}

/** Why a report is not sent; `delivery.<reason>`. */
type Reason = 'not_member' | 'no_email' | 'no_access' | 'no_mail_server' | 'report_failed';

type Delivery = Selectable<DeliveryTable>;

interface Recipient {
  report: ReportTable;
  account: { name: string; zone: string };
  contact: Contact & { email: string };
}

/** Deliveries that one run makes, and looks up in the outbox. */
const maxDeliveries = 500;
const maxAttempts = 5;

/**
 * Opens the deliveries of due reports, makes them, and takes over what became of them in the outbox. A delivery is
 * made until its message is queued in the transaction that says so, so a crash neither loses nor repeats it.
 */
export function createDeliveries({ database, clock, log, outbox, config }: DeliveryDeps) {
  let isStopped = false;

  async function run(): Promise<void> {
    await openDue();
    for (const delivery of await waiting(false)) {
      if (isStopped) return;
      await make(delivery);
    }
    await takeOverOutbox();
  }

  async function openDue(): Promise<void> {
    const reports = await reportTables(database.system)
      .selectFrom('mail_report')
      .selectAll()
      .where('enabled', '=', true)
      .execute();
    const ids = [...new Set(reports.map((row) => row.account_id))];
    const unlocked = await database.withSystem((tx) => accounts.openAccounts(tx, ids));
    for (const report of reports) {
      const account = unlocked.get(report.account_id);
      if (!account) continue;
      const day = latestSendDay(report, clock.now(), account.zone);
      if (day > report.sent_day) await database.withSystem((tx) => open(tx, report, day));
    }
  }

  /** After an absence of the console only the latest period is sent. */
  async function open(tx: Tx, report: ReportTable, day: string): Promise<void> {
    const { account_id: accountId, id } = report;
    const { numUpdatedRows } = await reportTables(tx)
      .updateTable('mail_report')
      .set({ sent_day: day })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('enabled', '=', true)
      // a save meanwhile sets its own day
      .where('sent_day', '=', report.sent_day)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const people = (await members.contactsOf(tx, accountId, report.members)).map((contact) => contact.id);
    await addDeliveries(tx, report, { people, sent_day: day, test: false, created_at: clock.now() });
  }

  function waiting(isQueued: boolean): Promise<Delivery[]> {
    return reportTables(database.system)
      .selectFrom('mail_report_delivery')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('outbox_id', isQueued ? 'is not' : 'is', null)
      .orderBy('created_at')
      .limit(maxDeliveries)
      .execute();
  }

  async function make(delivery: Delivery): Promise<void> {
    try {
      const recipient = await database.withSystem((tx) => recipientOf(tx, delivery));
      if (typeof recipient === 'string') return await fail(delivery, recipient);
      if (await outbox.toFile('email')) return await fail(delivery, 'no_mail_server');
      const document = await documentFor(delivery, recipient);
      const pdf = await pdfOf(document, clock.now());
      await database.withSystem((tx) => queue(tx, delivery, recipient, document, pdf));
    } catch (error) {
      log.error({ err: error, account: delivery.account_id, report: delivery.report_id }, 'report not made');
      await reportTables(database.system)
        .updateTable('mail_report_delivery')
        .set({
          attempts: sql`attempts + 1`,
          state: sql`case when attempts + 1 >= ${maxAttempts} then 'failed' else 'waiting' end`,
          error: 'report_failed' satisfies Reason,
        })
        .where('account_id', '=', delivery.account_id)
        .where('id', '=', delivery.id)
        .execute();
    }
  }

  async function documentFor(delivery: Delivery, { report, account, contact }: Recipient): Promise<ReportDocument> {
    const { account_id: accountId, person_id: userId, period, sent_day } = delivery;
    const { gwids, permissions, locale } = contact;
    const { zone } = account;
    const span = spanOf(period, sent_day, zone);
    const data = await database.withTenant({ accountId, userId, gwids }, (tx) =>
      readReport(tx, { accountId, gwids, permissions }, { ...span, zone, now: clock.now() }),
    );
    return documentOf(data, { locale, period, account: account.name, name: report.name, zone, span });
  }

  async function queue(
    tx: Tx,
    delivery: Delivery,
    recipient: Recipient,
    document: ReportDocument,
    pdf: Buffer,
  ): Promise<void> {
    const { account_id: accountId, id, test, sent_day } = delivery;
    const rows = reportTables(tx)
      .selectFrom('mail_report_delivery')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('outbox_id', 'is', null);
    if (!(await rows.forUpdate().executeTakeFirst())) return;
    // rights that changed while the report was made: the next run makes it anew
    const current = await recipientOf(tx, delivery);
    if (JSON.stringify(current) !== JSON.stringify(recipient)) return;
    const { contact, report } = recipient;
    const outboxId = await outbox.queue(tx, {
      accountId,
      channel: 'email',
      to: contact.email,
      locale: contact.locale,
      template: 'report',
      params: {
        subject: document.subject,
        text: mailText(document),
        name: report.name,
        url: config.publicUrl,
        test: test ? 'yes' : 'no',
      },
      html: mailHtml(document, config.publicUrl),
      attachment: { name: `yunxun-report-${sent_day}.pdf`, content: pdf },
    });
    await reportTables(tx)
      .updateTable('mail_report_delivery')
      .set({ outbox_id: outboxId, error: null })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    afterCommit(tx, () => void outbox.flush());
  }

  async function fail({ account_id, id }: Delivery, reason: Reason): Promise<void> {
    await reportTables(database.system)
      .updateTable('mail_report_delivery')
      .set({ state: 'failed', error: reason })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute();
  }

  /** The outbox retries mail by itself, and keeps its rows for longer than that takes. */
  async function takeOverOutbox(): Promise<void> {
    const rows = await waiting(true);
    const states = await outbox.statesOf(rows.map((row) => row.outbox_id!));
    for (const { account_id, id, outbox_id } of rows) {
      const { state, error } = states.get(outbox_id!) ?? { state: 'failed' as const, error: 'expired' };
      if (state === 'waiting' && error === null) continue;
      await reportTables(database.system)
        .updateTable('mail_report_delivery')
        .set({ state, error })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute();
    }
  }

  return {
    run,
    /** Lets a run end after the delivery that it makes. */
    stop() {
      isStopped = true;
    },
  };
}

async function recipientOf(tx: Tx, delivery: Delivery): Promise<Recipient | Reason> {
  const { account_id: accountId, report_id, person_id } = delivery;
  const report = await findReport(tx, accountId, report_id);
  const account = (await accounts.openAccounts(tx, [accountId])).get(accountId);
  const [contact] = report && account ? await members.contactsOf(tx, accountId, [person_id]) : [];
  if (!report || !account || !contact) return 'not_member';
  if (contact.email === null) return 'no_email';
  if (!contact.permissions.includes('network.read')) return 'no_access';
  return { report, account, contact: { ...contact, email: contact.email } };
}

function pdfOf({ title, subtitle, locale, blocks, reason }: ReportDocument, at: Date): Promise<Buffer> {
  const footer = (locale: Locale, n: number, total: number) => message(locale, 'report.page', { n, total });
  return renderPdf({
    title,
    subtitle,
    locale,
    at,
    blocks: [...blocks, { kind: 'text', text: reason }],
    footer: (page, total) => footer(locale, page, total),
  });
}
