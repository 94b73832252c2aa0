import { randomBytes } from 'node:crypto';
import { asList, asRecord, asText, type CommandParams, replyMeaning, replyText } from '@yunxun/contract/device';
import type { Clock } from '../../../platform/clock.ts';
import { tokenHash } from '../../../platform/crypto/index.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { readLatestStates } from '../../../telemetry/index.ts';
import {
  type CommandResult,
  type DeviceCommands,
  DeviceError,
  DeviceOffline,
  DeviceTimeout,
} from '../../../uplink/index.ts';
import type { JobRunner, Jobs, Outcome } from '../../jobs/service.ts';
import { devicesBySerial, devicesOf } from '../device-store.ts';
import type { DeviceRef } from '../presence.ts';
import { scriptOf, scriptSeconds, snaplen } from './catalogue.ts';
import { bssidsOf, mostOutput, readHops, readPing, readScan, type ToolResult } from './results.ts';
import { findRun, type Run, type RunRef, updateRun } from './store.ts';

/** Where devices bring files; the token follows. */
export const uploadPath = '/v1/upload/';
/** Milliseconds after the device's answer that its file is awaited. */
const uploadLimitMs = 10 * 60_000;
const lookTask = 'tool-look';
/** Devices of a network whose BSSIDs are looked up to know neighbours that are no strangers. */
const mostOwn = 500;

export interface ToolRunnerDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'wake' | 'register'>;
  devices: Pick<DeviceCommands, 'call'>;
  /** The console's address as devices reach it. */
  publicUrl(): string;
}

/** What an item remembers. */
interface Progress {
  /** The use of a tool that it is. */
  run: string;
  /** When the device said that its file is on the way. */
  answered_at?: string;
}

interface Answer {
  outcome: Outcome;
  result?: ToolResult;
}

/** Does what a use of a tool is for; the use's own row says how it stands, beside the job's item. */
export function createToolRunner({ database, clock, jobs, devices, publicUrl }: ToolRunnerDeps) {
  const run: JobRunner = async (item) => {
    const { run: id, answered_at: answered } = asRecord<Progress>(item.detail);
    const ref = { accountId: item.account_id, id: String(id) };
    const found = await database.withSystem((tx) => findRun(tx, ref));
    if (!found) return { status: 'cancelled', reason: 'job.unbound' };
    const device = { accountId: ref.accountId, serial: found.serial };
    if (typeof answered === 'string') return settle(ref, { outcome: await awaited(ref, new Date(answered)) });
    await database.withSystem((tx) => updateRun(tx, ref, { state: 'running' }));
    try {
      return await settle(ref, await use(ref, found, device));
    } catch (error) {
      return settle(ref, { outcome: outcomeOf(error) });
    }
  };
  jobs.register('tool', run);

  async function settle(ref: RunRef, { outcome, result }: Answer): Promise<Outcome> {
    const state = { succeeded: 'done', skipped: 'skipped', waiting_offline: 'uploading' } as const;
    const now = state[outcome.status as keyof typeof state] ?? 'failed';
    await database.withSystem((tx) =>
      updateRun(tx, ref, {
        state: now,
        reason: outcome.reason ?? null,
        finished_at: now === 'uploading' ? null : clock.now(),
        ...(result ? { result } : {}),
      }),
    );
    return outcome;
  }

  function call<M extends keyof CommandParams>(
    device: DeviceRef,
    method: M,
    params: CommandParams[M],
    seconds: number,
  ): Promise<CommandResult> {
    return devices.call(device, method, params, { timeoutMs: (seconds + 15) * 1000 });
  }

  async function use(ref: RunRef, row: Run, device: DeviceRef): Promise<Answer> {
    switch (row.tool) {
      case 'ping':
      case 'traceroute': {
        const seconds = scriptSeconds[row.tool];
        const script = Buffer.from(scriptOf(row.tool, row.arguments)).toString('base64');
        const result = await call(device, 'script', { type: 'shell', script, timeout: seconds, when: 0 }, seconds);
        return spoken(row.tool, result);
      }
      case 'wifiscan':
        return scanned(device, await call(device, 'wifiscan', { active: true }, 100));
      case 'leds': {
        const { pattern = 'blink', seconds = 60 } = row.arguments;
        return plain(await call(device, 'leds', { pattern, duration: seconds, when: 0 }, 20));
      }
      case 'trace': {
        const { place, seconds = 30, packets = 10_000, filter } = row.arguments;
        const where = place ? { interface: place } : { network: 'up' };
        const uri = await address(ref, seconds);
        const params = { uri, ...where, duration: seconds, packets, snaplen, ...(filter ? { filter } : {}), when: 0 };
        return brought(ref, call(device, 'trace', params, seconds + 60));
      }
      case 'bundle': {
        const seconds = scriptSeconds.bundle;
        const uri = await address(ref, seconds);
        return brought(ref, call(device, 'script', { type: 'diagnostic', uri, timeout: seconds, when: 0 }, seconds));
      }
    }
  }

  /** An address that takes this use's file, once; a later one of the same use takes its place. */
  async function address(ref: RunRef, seconds: number): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const until = new Date(clock.now().getTime() + seconds * 1000 + uploadLimitMs);
    await database.withSystem((tx) => updateRun(tx, ref, { upload_hash: tokenHash(secret), upload_until: until }));
    return `${publicUrl()}${uploadPath}${ref.accountId}.${ref.id}.${secret}`;
  }

  /**
   * What came, or a wait for it: some devices answer when the file is here, others before they bring it. Over a slow line
   * the former are silent for longer than an answer is awaited, and it comes all the same.
   */
  async function brought(ref: RunRef, answer: Promise<CommandResult>): Promise<Answer> {
    const result = await answer.catch((error: unknown) => {
      if (error instanceof DeviceTimeout && error.sent) return null;
      throw error;
    });
    if (result && replyMeaning(result) !== 'done') return { outcome: refused(result) };
    const text = result ? replyText(result).slice(0, mostOutput) : '';
    const kept = await database.withSystem((tx) => findRun(tx, ref));
    const more = text ? { result: { output: text } } : {};
    if (kept?.file_size !== null && kept !== undefined) return { outcome: { status: 'succeeded' }, ...more };
    const detail: Progress = { run: ref.id, answered_at: clock.now().toISOString() };
    if (kept) await database.withSystem((tx) => lookLater(tx, { ...ref, serial: kept.serial }));
    return { outcome: { status: 'waiting_offline', reason: 'job.tool_upload', detail }, ...more };
  }

  async function awaited(ref: RunRef, answered: Date): Promise<Outcome> {
    const kept = await database.withSystem((tx) => findRun(tx, ref));
    if (kept?.file_size != null) return { status: 'succeeded' };
    const late = clock.now().getTime() - answered.getTime() >= uploadLimitMs;
    return late
      ? { status: 'failed', reason: 'job.tool_no_file' }
      : { status: 'waiting_offline', reason: 'job.tool_upload' };
  }

  function lookLater(tx: Tx, ref: RunRef & { serial: string }): Promise<void> {
    const runAt = new Date(clock.now().getTime() + uploadLimitMs);
    return enqueue(tx, lookTask, ref, { key: `${lookTask}:${ref.accountId}.${ref.id}`, runAt });
  }

  /** Neighbours, those of the device's own network by their BSSIDs. */
  async function scanned(device: DeviceRef, result: CommandResult): Promise<Answer> {
    if (replyMeaning(result) !== 'done') return { outcome: refused(result) };
    const scan = asList(asRecord<{ scan: unknown }>(result.status).scan);
    const owners = await database.withSystem(async (tx) => {
      const [self] = await devicesBySerial(tx, device.accountId, [device.serial]);
      const near = self?.gwid ? await devicesOf(tx, device.accountId, [self.gwid]) : [];
      const serials = near.slice(0, mostOwn).map(({ serial }) => serial);
      const states = await readLatestStates(tx, device.accountId, serials);
      return new Map(
        [...states].flatMap(([serial, { params }]) => bssidsOf(params.state).map((bssid) => [bssid, serial])),
      );
    });
    const neighbours = readScan(scan, (bssid) => owners.get(bssid) ?? null);
    return { outcome: { status: 'succeeded' }, result: { neighbours } };
  }

  return {
    tasks: {
      /** A file that did not come in time never will. */
      [lookTask]: async ({ accountId, serial }: RunRef & { serial: string }) => jobs.wake(accountId, serial),
    },
  };
}

/** What a script printed. An exit code is a result too: nobody answering is what `ping` was asked for. */
function spoken(tool: 'ping' | 'traceroute', result: CommandResult): Answer {
  const status = asRecord<{ error: number; result: unknown }>(result.status);
  const output = (asText(status.result, 1 << 20) ?? '').slice(0, mostOutput);
  if (tool === 'ping') {
    const ping = readPing(output);
    if (ping.sent === null) return { outcome: { status: 'failed', reason: firstLine(output) }, result: { output } };
    return { outcome: { status: 'succeeded' }, result: { output, ping } };
  }
  const hops = readHops(output);
  if (hops.length === 0) return { outcome: { status: 'failed', reason: firstLine(output) }, result: { output } };
  return { outcome: { status: 'succeeded' }, result: { output, hops } };
}

const firstLine = (output: string) => output.trim().split('\n')[0]?.slice(0, 200) || 'job.refused';

function plain(result: CommandResult): Answer {
  return { outcome: replyMeaning(result) === 'done' ? { status: 'succeeded' } : refused(result) };
}

function refused(result: CommandResult): Outcome {
  return { status: 'failed', reason: replyText(result).slice(0, 200) || 'job.refused' };
}

/** How a command that got no answer ended. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof DeviceOffline)
    return error.sent
      ? { status: 'failed', reason: 'job.silent' }
      : { status: 'skipped', reason: 'job.skipped_offline' };
  if (error instanceof DeviceTimeout) return { status: 'failed', reason: 'job.silent' };
  if (error instanceof DeviceError) {
    const text = error.code === 'DEVICE_BUSY' ? 'job.silent' : error.message.slice(0, 200);
    return { status: 'failed', reason: text || 'job.refused' };
  }
  throw error;
}
