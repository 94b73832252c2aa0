import type { Locale, ReportPeriod } from '@yunxun/contract';
import { message, messageByKey } from '@yunxun/contract/messages';
import { bytesText } from '@yunxun/contract/rules';
import { timeText } from '../../platform/calendar.ts';
import type { Block } from '../../platform/pdf/index.ts';
import type { OpenAlarm, ReportData, ReportDay, ReportNetwork, Trouble } from './report-data.ts';
import { countText, durationText, percentText } from './report-figures.ts';
import type { ReportSpan } from './report-span.ts';

/** Mail, PDF and preview show the same. */
export interface ReportDocument {
  locale: Locale;
  subject: string;
  title: string;
  subtitle: string;
  blocks: readonly Block[];
  reason: string;
}

export interface DocumentFrame {
  locale: Locale;
  period: ReportPeriod;
  account: string;
  name: string;
  zone: string;
  span: ReportSpan;
}

/** Rows of a table; the rest is counted. */
const maxRows = 40;

export function documentOf(data: ReportData, frame: DocumentFrame): ReportDocument {
  const { locale, period, account, zone, span } = frame;
  const { firstDay, lastDay, from, to } = span;
  const days = period === 'day' ? lastDay : message(locale, 'report.days', { from: firstDay, to: lastDay });
  return {
    locale,
    subject: message(locale, 'report.subject', {
      account,
      period,
      days,
      n: data.troubledNetworks,
      measured: data.networks > 0 ? 'yes' : 'no',
    }),
    title: message(locale, 'report.title', { account, period }),
    subtitle: message(locale, 'report.span', { from: timeText(from, zone), to: timeText(to, zone), zone }),
    blocks: [
      ...summary(data, locale),
      ...problems(data, frame),
      ...availability(data, locale),
      ...byDay(data, locale),
      ...alarms(data, frame),
      ...upkeep(data, locale),
    ],
    reason: message(locale, 'report.footer', { name: frame.name }),
  };
}

const heading = (text: string): Block => ({ kind: 'heading', text });
const note = (text: string): Block => ({ kind: 'text', text });

/** Says how many rows it leaves out. */
function table(
  locale: Locale,
  columns: Extract<Block, { kind: 'table' }>['columns'],
  rows: readonly string[][],
  total = rows.length,
): Block[] {
  const shown = rows.slice(0, maxRows);
  const rest = total - shown.length;
  return [
    { kind: 'table', columns, rows: shown },
    ...(rest > 0 ? [note(message(locale, 'report.more', { n: rest }))] : []),
  ];
}

function summary(data: ReportData, locale: Locale): Block[] {
  const count = (value: number) => countText(locale, value);
  const { days, consoleSeconds: seconds } = data;
  const traffic = days?.flatMap((day) => day.traffic ?? []);
  // a week's distinct clients are in its table
  const today = days?.length === 1 ? days[0]! : null;
  const facts: [string, string][] = [
    [message(locale, 'report.troubled_n'), count(data.troubledNetworks)],
    [message(locale, 'report.networks_n'), count(data.networks)],
    [message(locale, 'report.devices_n'), count(data.devices)],
  ];
  if (traffic)
    facts.push([
      message(locale, 'report.traffic_sum'),
      traffic.length > 0
        ? bytesText(traffic.reduce((sum, bytes) => sum + bytes, 0))
        : message(locale, 'report.unknown'),
    ]);
  if (today) {
    facts.push([message(locale, 'report.clients_n'), orUnknown(locale, today.clients, count)]);
    facts.push([message(locale, 'report.new_n'), orUnknown(locale, today.newClients, count)]);
  }
  if (seconds > 0) {
    const time = durationText(locale, seconds);
    facts.push([message(locale, 'report.console'), message(locale, 'report.console_s', { time })]);
  }
  return [heading(message(locale, 'report.summary')), { kind: 'facts', facts }];
}

function problems(data: ReportData, { locale, zone }: DocumentFrame): Block[] {
  const { troubles, plannedNetworks: n } = data;
  const columns = [
    { title: message(locale, 'report.network'), share: 3 },
    { title: message(locale, 'report.problem'), share: 3.7 },
    { title: message(locale, 'report.began'), share: 2.6 },
    { title: message(locale, 'report.lasted'), share: 3 },
    { title: message(locale, 'report.devices'), share: 1.3, align: 'right' },
    { title: message(locale, 'report.clients'), share: 1.6, align: 'right' },
  ] as const;
  return [
    heading(message(locale, 'report.problems')),
    ...(troubles.length > 0
      ? table(
          locale,
          columns,
          troubles.map((one) => troubleRow(one, locale, zone)),
        )
      : [note(message(locale, data.networks > 0 ? 'report.no_problems' : 'report.unmeasured'))]),
    ...(n > 0 ? [note(message(locale, 'report.planned_n', { n }))] : []),
  ];
}

function troubleRow(one: Trouble, locale: Locale, zone: string): string[] {
  const time = durationText(locale, one.seconds);
  const times = one.times > 1 ? message(locale, 'report.times', { time, n: one.times }) : time;
  return [
    one.network,
    problemText(one, locale),
    timeText(new Date(one.began_at), zone),
    one.ended_at === null ? message(locale, 'report.still', { time: times }) : times,
    countText(locale, one.devices),
    orUnknown(locale, one.clients, (clients) => countText(locale, clients)),
  ];
}

function problemText({ alarm, cause, whole }: Trouble, locale: Locale): string {
  if (alarm !== null) return messageByKey(locale, `alarm.kind_${alarm}`);
  const why = { cause: messageByKey(locale, `report.cause_${cause}`) };
  return message(locale, whole ? 'report.whole' : 'report.part', why);
}

function availability(data: ReportData, locale: Locale): Block[] {
  const withTraffic = data.days !== null;
  const columns = [
    { title: message(locale, 'report.network'), share: 2.5 },
    { title: message(locale, 'report.percent'), share: 1.5, align: 'right' as const },
    { title: message(locale, 'report.out'), share: 2, align: 'right' as const },
    ...(withTraffic
      ? [
          { title: message(locale, 'report.traffic'), share: 1.5, align: 'right' as const },
          { title: message(locale, 'report.mean_clients'), share: 2, align: 'right' as const },
        ]
      : []),
  ];
  const row = (one: ReportNetwork): string[] => [
    one.remark,
    orUnknown(locale, one.percent, (percent) => shareText(locale, percent, one, data.seconds)),
    outText(one, locale),
    ...(withTraffic
      ? [
          orUnknown(locale, one.traffic, bytesText),
          orUnknown(locale, one.clients, (clients) => countText(locale, Math.round(clients * 10) / 10)),
        ]
      : []),
  ];
  return [
    heading(message(locale, 'report.availability')),
    ...(data.availability.length > 0
      ? table(locale, columns, data.availability.map(row))
      : [note(message(locale, 'report.no_networks'))]),
  ];
}

const remarkedS = 3600;

function shareText(locale: Locale, percent: number, { measured_s }: ReportNetwork, period: number): string {
  if (measured_s > period - remarkedS) return percentText(percent);
  return message(locale, 'report.percent_of', {
    percent: percentText(percent),
    time: durationText(locale, measured_s),
  });
}

/** Nothing is known of a network that was not measured. */
function outText({ percent, out_s }: ReportNetwork, locale: Locale): string {
  if (percent === null) return message(locale, 'report.unknown');
  return out_s > 0 ? durationText(locale, out_s) : '0';
}

function byDay({ days }: ReportData, locale: Locale): Block[] {
  if (days === null || days.length === 1) return [];
  const count = (value: number) => countText(locale, value);
  const columns = [
    { title: message(locale, 'report.day'), share: 2 },
    { title: message(locale, 'report.traffic'), share: 2, align: 'right' },
    { title: message(locale, 'report.day_clients'), share: 1.5, align: 'right' },
    { title: message(locale, 'report.day_new'), share: 1.5, align: 'right' },
  ] as const;
  const rows = days.map((one) => [
    one.day,
    orGap(locale, one, one.traffic, bytesText),
    orGap(locale, one, one.clients, count),
    orGap(locale, one, one.newClients, count),
  ]);
  return [heading(message(locale, 'report.by_day')), ...table(locale, columns, rows)];
}

function alarms({ alarms: open }: ReportData, { locale, zone }: DocumentFrame): Block[] {
  if (open === null) return [];
  const title = heading(message(locale, 'report.alarms'));
  if (open.length === 0) return [title, note(message(locale, 'report.no_alarms'))];
  const columns = [
    { title: message(locale, 'report.level'), share: 1.2 },
    { title: message(locale, 'report.alarm'), share: 6 },
    { title: message(locale, 'report.since'), share: 2.4 },
    { title: message(locale, 'report.clients'), share: 1.4, align: 'right' },
  ] as const;
  const total = new Map(open.map((alarm) => [alarm.gwid, alarm.total]));
  const all = [...total.values()].reduce((sum, n) => sum + n, 0);
  return [
    title,
    ...table(
      locale,
      columns,
      open.map((alarm) => alarmRow(alarm, locale, zone)),
      all,
    ),
  ];
}

function alarmRow(alarm: OpenAlarm, locale: Locale, zone: string): string[] {
  const { kind, level, network, part, began_at } = alarm;
  const name = alarm.serial === null ? network : alarm.name;
  return [
    messageByKey(locale, `notice.level_${level}`),
    messageByKey(locale, `alarm.${kind}`, { name, network, part }),
    timeText(began_at, zone),
    orUnknown(locale, alarm.clients_hit, (clients) => countText(locale, clients)),
  ];
}

function upkeep({ upkeep: { outdated, upgrades, backups } }: ReportData, locale: Locale): Block[] {
  const facts: [string, string][] = [];
  if (upgrades.done + upgrades.failed > 0)
    facts.push([message(locale, 'report.upgrades'), message(locale, 'report.upgrades_n', upgrades)]);
  if (backups) facts.push([message(locale, 'report.backups'), message(locale, 'report.backups_n', backups)]);
  const columns = [
    { title: message(locale, 'report.outdated'), share: 1 },
    { title: message(locale, 'report.firmware'), share: 2 },
  ];
  const blocks: Block[] = [
    ...(facts.length > 0 ? [{ kind: 'facts' as const, facts }] : []),
    ...(outdated.length > 0
      ? table(
          locale,
          columns,
          outdated.map(({ model, firmware }) => [model, firmware]),
        )
      : []),
  ];
  return blocks.length > 0 ? [heading(message(locale, 'report.upkeep')), ...blocks] : [];
}

function orUnknown(locale: Locale, value: number | null, text: (value: number) => string): string {
  return value === null ? message(locale, 'report.unknown') : text(value);
}

function orGap(locale: Locale, { gap }: ReportDay, value: number | null, text: (value: number) => string): string {
  return value === null && gap ? messageByKey(locale, `report.gap_${gap}`) : orUnknown(locale, value, text);
}
