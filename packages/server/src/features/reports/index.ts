import { allows, reports as contract, networksOf, permissions } from '@yunxun/contract';
import { message } from '@yunxun/contract/messages';
import { sql } from 'kysely';
import { dayOf } from '../../platform/calendar.ts';
import { implement, type Route, type UserCall } from '../../platform/http/call.ts';
import { accounts } from '../identity/index.ts';
import { createDeliveries, type DeliveryDeps, reportsTask } from './deliveries.ts';
import { mailHtml } from './mail-html.ts';
import { createReportActions } from './report-actions.ts';
import { readReport } from './report-data.ts';
import { documentOf } from './report-document.ts';
import { spanOf } from './report-span.ts';
import { knownReports } from './report-store.ts';

const dayMs = 86_400_000;

/** Reports of an account by mail, daily or weekly. */
export function createReports(deps: DeliveryDeps) {
  const { database, clock, config } = deps;
  const actions = createReportActions(deps);
  const deliveries = createDeliveries(deps);

  async function preview({ tx, identity, caller, input }: UserCall<typeof contract.reportPreview>) {
    const { actor } = identity;
    const { accountId } = actor;
    const { name: account, time_zone: zone } = await accounts.accountOf(tx, accountId);
    const now = clock.now();
    const span = spanOf(input.period, dayOf(now, zone), zone);
    const may = permissions.filter((permission) => allows(actor, permission));
    const data = await readReport(
      tx,
      { accountId, gwids: networksOf(actor), permissions: may },
      { ...span, zone, now },
    );
    const { locale } = caller;
    const name = message(locale, 'report.preview_name');
    const document = documentOf(data, { locale, period: input.period, account, name, zone, span });
    return { subject: document.subject, html: mailHtml(document, config.publicUrl) };
  }

  async function prune(): Promise<void> {
    const before = new Date(clock.now().getTime() - contract.reportLimits.keptDays * dayMs);
    await sql`delete from mail_report_delivery where created_at < ${before}`.execute(database.system);
  }

  return {
    routes: (): Route[] =>
      implement(contract, {
        reportList: ({ tx, acting, caller }) => actions.list(tx, acting, caller.locale),
        reportSave: ({ tx, acting, input }) => actions.save(tx, acting, input),
        async reportDelete({ tx, acting, input }) {
          await actions.remove(tx, acting, input.id);
          return {};
        },
        async reportTest({ tx, acting, input }) {
          await actions.test(tx, acting, input.id);
          return {};
        },
        reportPreview: preview,
      }),
    objects: { report: knownReports },
    tasks: { [reportsTask]: deliveries.run, 'reports-prune': prune },
    schedules: [
      { task: reportsTask, cron: '* * * * *', exclusive: true as const },
      { task: 'reports-prune', cron: '23 4 * * *' },
    ],
    stop: deliveries.stop,
  };
}
