import {
  networkTimeline as contract,
  type DataOf,
  type Locale,
  type OutageCause,
  type TimelineKind,
} from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { incidents, type NetworkAlarm } from '../alarms/index.ts';
import { type OwnStart, ownStarts } from '../firmware/index.ts';
import { deviceOutages } from '../fleet/index.ts';
import { jobStates } from '../jobs/index.ts';

type DeviceOutage = Awaited<ReturnType<typeof deviceOutages.ofNetwork>>['list'][number];

type JobHere = Awaited<ReturnType<typeof jobStates.inNetwork>>['list'][number];

type Timeline = DataOf<typeof contract.networkTimeline>;
export type TimelineMarks = Pick<Timeline, 'marks' | 'left_out' | 'hidden'>;
export type Mark = Timeline['marks'][number];

/** Other jobs change nothing that a line could show. */
const kinds: Readonly<Record<string, Extract<TimelineKind, 'push' | 'restart' | 'upgrade'>>> = {
  configuration: 'push',
  reboot: 'restart',
  firmware: 'upgrade',
  agent_upgrade: 'upgrade',
};
/** Outages of one cause within this of the first are one mark, milliseconds. */
const togetherMs = 60_000;
const outagesRead = 2000;

export interface MarkQuery {
  gwid: string;
  from: Date;
  now: Date;
  jobs: boolean;
  log: boolean;
  alarms: boolean;
  locale: Locale;
}

export async function marksOf(tx: Tx, accountId: string, query: MarkQuery): Promise<TimelineMarks> {
  const { gwid, from, now } = query;
  const limit = contract.timelineLimits.marks;
  const nothing = { list: [], total: 0 };
  const outages = await deviceOutages.ofNetwork(tx, accountId, { gwid, from, now, limit: outagesRead });
  const jobs = query.jobs
    ? await jobStates.inNetwork(tx, accountId, { gwid, from, types: Object.keys(kinds), limit })
    : nothing;
  const starts = query.log ? await ownStarts(tx, accountId, { gwid, from, limit }) : nothing;
  const alarms = query.alarms ? await incidents.ofNetwork(tx, accountId, { ...query, limit }) : nothing;
  const marks = [
    ...together(outages.list),
    ...outages.console.map(ofConsole),
    ...jobs.list.map(ofJob),
    ...starts.list.map(ofStart),
    ...alarms.list.map(ofAlarm),
  ].toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));
  const unread = [outages, jobs, starts, alarms].reduce((sum, { list, total }) => sum + total - list.length, 0);
  const fitting = fit(marks);
  return {
    marks: fitting,
    left_out: marks.length - fitting.length + unread,
    hidden: contract.hiddenMarks.filter((kind) => !query[kind]),
  };
}

/** By number and by bytes. */
export function fit(marks: readonly Mark[]): Mark[] {
  const { marks: max, markBytes } = contract.timelineLimits;
  const kept: Mark[] = [];
  let bytes = 0;
  for (const each of marks.slice(0, max)) {
    bytes += Buffer.byteLength(JSON.stringify(each)) + 1;
    if (bytes > markBytes) break;
    kept.push(each);
  }
  return kept;
}

/** @param outages the newest first */
export function together(outages: readonly DeviceOutage[]): Mark[] {
  const open = new Map<OutageCause, DeviceOutage[]>();
  const groups: DeviceOutage[][] = [];
  for (const outage of outages.toReversed()) {
    const group = open.get(outage.cause);
    if (group && outage.began.getTime() - group[0]!.began.getTime() <= togetherMs) group.push(outage);
    else {
      const fresh = [outage];
      open.set(outage.cause, fresh);
      groups.push(fresh);
    }
  }
  return groups.map((group) => {
    const [first] = group as [DeviceOutage];
    const devices = new Set(group.map(({ serial }) => serial)).size;
    const lasts = group.some(({ ended }) => ended === null);
    const ended = Math.max(...group.map((outage) => outage.ended?.getTime() ?? 0));
    return {
      ...mark('outage', first.began, lasts ? null : new Date(ended)),
      cause: first.cause,
      devices,
      ...(devices === 1 ? { serial: first.serial, name: first.name } : {}),
    };
  });
}

function ofConsole({ from, to }: { from: Date; to: Date }): Mark {
  return mark('console', from, to);
}

function ofJob({ id, type, operator, began, ended, devices, failed, serial, name }: JobHere): Mark {
  return { ...mark(kinds[type]!, began, ended), devices, failed, serial, name, job_id: id, operator };
}

function ofStart({ at, serial, name, action, operator }: OwnStart): Mark {
  return { ...mark(action, at, at), devices: 1, serial, name, operator };
}

function ofAlarm({ id, level, text, serial, name, began_at, recovered_at, devices_hit }: NetworkAlarm): Mark {
  return { ...mark('alarm', began_at, recovered_at), devices: devices_hit, serial, name, alarm: { id, level, text } };
}

function mark(kind: TimelineKind, at: Date, until: Date | null): Mark {
  return {
    kind,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    cause: null,
    devices: 0,
    failed: 0,
    serial: null,
    name: null,
    job_id: null,
    operator: null,
    alarm: null,
  };
}
