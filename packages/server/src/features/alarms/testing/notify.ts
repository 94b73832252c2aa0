import type { alarmNotices as contract, DataOf, InputOf } from '@yunxun/contract';
import { expect } from 'vitest';
import { type FakeProvider, startFakeProvider } from '../../../../test/fake-provider.ts';
import { newId } from '../../../platform/database/index.ts';
import { call, pass, server } from './fixture.ts';

// mutable: once per file
export let hook: FakeProvider;

export async function startHook(): Promise<void> {
  hook = await startFakeProvider();
}

export function resetHook(): void {
  hook.requests = [];
  hook.answer = () => ({ body: {} });
}

export type Saved = InputOf<typeof contract.subscriptionSave>;
export type Made = DataOf<typeof contract.subscriptionSave>;
export type Notices = DataOf<typeof contract.noticeList>;

export const subscription = (more: Partial<Saved> = {}): Saved => ({
  name: 'On-call',
  enabled: true,
  locale: 'en',
  levels: ['FATAL', 'MIDDLE', 'GENERAL'],
  kinds: [],
  scope: { type: 'all', ids: [] },
  members: [],
  member_channels: [],
  schedule: [],
  quiet: null,
  digest_minutes: 0,
  repeat_hours: 0,
  recovery: true,
  endpoints: [{ type: 'webhook', url: `${hook.url}/in` }],
  ...more,
});
export const save = (more: Partial<Saved> = {}) => call<Made>('alarm_subscription/save', subscription(more));
export const notices = (input: object = {}) => call<Notices>('alarm_notice/list', input);

export const enqueue = (task: string) =>
  server.db.database.systemPool.query('select graphile_worker.add_job($1, job_key => $2, queue_name => $1)', [
    task,
    `test-${newId()}`,
  ]);

export async function send(): Promise<void> {
  const { systemPool } = server.db.database;
  for (const task of ['alarms-notify', 'alarms-deliver']) {
    await enqueue(task);
    const waits = () =>
      systemPool.query("select from graphile_worker.jobs where task_identifier like 'alarms-%' and run_at <= now()");
    await expect.poll(async () => (await waits()).rowCount).toBe(0);
  }
}

export async function run(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    await pass(1);
    await send();
  }
}

export interface Payload {
  id: string;
  type: string;
  total: number;
  alarms: { id: string; event: string; kind: string; text: string; network: { name: string }; devices_hit: number }[];
}
export const payloads = (): Payload[] => hook.requests.map(({ body }) => JSON.parse(body) as Payload);
export const events = () => payloads().map(({ alarms }) => alarms.map(({ event, kind }) => `${event} ${kind}`));
