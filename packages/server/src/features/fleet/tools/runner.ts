import { randomBytes } from 'node:crypto';
import {
  asList,
  asRecord,
  asText,
  type CommandParams,
  type EdgeToolResult,
  edgeSpeedLimits,
  edgeToolMethod,
  replyMeaning,
  replyText,
} from '@yunxun/contract/device';
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
import type { JobRunner, Jobs, Outcome } from '../../jobs/index.ts';
import { capabilitiesOf, devicesBySerial, devicesOf } from '../device-store.ts';
import type { DeviceRef } from '../presence.ts';
import { ownToolsOf, scriptOf, scriptSeconds, snaplen } from './catalogue.ts';
import { readHttpCheck, readTcpCheck } from './checks.ts';
import {
  bssidsOf,
  type HopProbe,
  maxOutput,
  readHop,
  readHops,
  readLookups,
  readPing,
  readScan,
  readSpeed,
  type ToolResult,
} from './results.ts';
import { findRun, type Run, type RunRef, updateRun } from './store.ts';
import { readThroughput, type Throughput } from './throughput.ts';

/** Upload path; the token follows. */
export const uploadPath = '/v1/upload/';
/** Speed test path; the token follows. */
export const speedPath = '/v1/speed/';
/** Both directions. */
const speedSeconds = 2 * (edgeSpeedLimits.seconds + 5);
const hopSeconds = 12;
/** Milliseconds from answer to file. */
const uploadLimitMs = 10 * 60_000;
const recheckTask = 'tool-look';
/** Devices whose BSSIDs are marked as own. */
const maxOwn = 500;

export interface ToolRunnerDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'wake' | 'register'>;
  devices: Pick<DeviceCommands, 'call'>;
  publicUrl(): string;
}

interface Progress {
  run: string;
  answered_at?: string;
}

interface Answer {
  outcome: Outcome;
  result?: ToolResult;
}

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
        if (row.arguments.hops) return withHops(device, row, seconds);
        if (row.arguments.sources || (await hasOwnTools(device))) return ownTool(device, row, seconds);
        const [record] = await database.withSystem((tx) => devicesBySerial(tx, device.accountId, [device.serial]));
        if (!record) return { outcome: { status: 'cancelled', reason: 'job.unbound' } };
        const script = Buffer.from(scriptOf(row.tool, row.arguments, record)).toString('base64');
        const result = await call(device, 'script', { type: 'shell', script, timeout: seconds, when: 0 }, seconds);
        const printed = asText(asRecord<{ result: unknown }>(result.status).result, 1 << 20) ?? '';
        return spoken(row.tool, printed, result);
      }
      case 'dns':
      case 'tcp_check':
      case 'http_check':
        return ownTool(device, row, 30);
      case 'speed': {
        const uri = await address(ref, speedSeconds, speedPath);
        const done = await ownTool(device, row, speedSeconds, uri);
        await database.withSystem((tx) => updateRun(tx, ref, { upload_hash: null, upload_until: null }));
        return done;
      }
      case 'throughput':
        return bothWays(device, row);
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

  async function withHops(device: DeviceRef, row: Run, seconds: number): Promise<Answer> {
    const { hops = [], port } = row.arguments;
    const [answer, path] = await Promise.all([
      ownTool(device, row, seconds).catch((error: unknown): Answer => ({ outcome: outcomeOf(error) })),
      Promise.all(
        hops.map(async ({ serial, own, peers, host }): Promise<HopProbe> => {
          const aim = host === undefined ? {} : { host, ...(port === undefined ? {} : { port }) };
          const params = { tool: 'hop' as const, own, peers, ...aim };
          const result = await call({ ...device, serial }, edgeToolMethod, params, hopSeconds).catch(() => null);
          if (result === null || replyMeaning(result) !== 'done') return { serial, found: null };
          const { hop } = asRecord<EdgeToolResult>(asRecord<{ tool: unknown }>(result.status).tool);
          return { serial, found: readHop(hop) };
        }),
      ),
    ]);
    return { ...answer, result: { ...answer.result, path } };
  }

  /** The peer serves once per way, on a port of its own. */
  async function bothWays(device: DeviceRef, { arguments: used }: Run): Promise<Answer> {
    const { own = '', target = '', peer = '', port = 0, seconds = 5, udp = false, mbps } = used;
    const cap = mbps === undefined ? {} : { mbps };
    const throughput: Throughput = { up: null, down: null };
    for (const [at, way] of (['up', 'down'] as const).entries()) {
      const ends = { tool: 'throughput' as const, port: port + at, seconds };
      const serve = { ...ends, act: 'serve' as const, own: target, peer: own };
      const served = await call({ ...device, serial: peer }, edgeToolMethod, serve, 10);
      if (replyMeaning(served) !== 'done') return { outcome: refused(served), result: { throughput } };
      const test = { ...ends, act: 'run' as const, own, peer: target, udp, reverse: way === 'down', ...cap };
      const result = await call(device, edgeToolMethod, test, seconds + 10);
      if (replyMeaning(result) !== 'done') return { outcome: refused(result), result: { throughput } };
      const { throughput: found } = asRecord<EdgeToolResult>(asRecord<{ tool: unknown }>(result.status).tool);
      throughput[way] = readThroughput(found);
    }
    return { outcome: { status: 'succeeded' }, result: { throughput } };
  }

  async function hasOwnTools({ accountId, serial }: DeviceRef): Promise<boolean> {
    return ownToolsOf(await database.withSystem((tx) => capabilitiesOf(tx, accountId, serial))).tools;
  }

  async function ownTool(
    device: DeviceRef,
    { tool, arguments: used }: Run,
    seconds: number,
    uri = '',
  ): Promise<Answer> {
    const { target = '', count = 5, server, place, sources, port, url = '' } = used;
    const where = place ? { place } : {};
    const asked = {
      ping: sources
        ? { tool: 'path' as const, target, count, sources, ...(port === undefined ? {} : { port }) }
        : { tool: 'ping' as const, target, count, ...where },
      traceroute: { tool: 'traceroute', target, ...where },
      dns: { tool: 'dns', target, ...(server ? { server } : {}), ...where },
      tcp_check: { tool: 'tcp_check', target, port: port ?? 0, ...where },
      http_check: { tool: 'http_check', url, ...where },
      speed: { tool: 'speed', uri, ...where },
    } as const;
    const result = await call(device, edgeToolMethod, asked[tool as keyof typeof asked], seconds);
    if (replyMeaning(result) !== 'done') return { outcome: refused(result) };
    const { output, dns, tcp, http, speed } = asRecord<EdgeToolResult>(asRecord<{ tool: unknown }>(result.status).tool);
    if (tool === 'ping' || tool === 'traceroute') return spoken(tool, asText(output, 1 << 20) ?? '', result);
    if (tool === 'dns') return { outcome: { status: 'succeeded' }, result: { lookups: readLookups(dns) } };
    if (tool === 'tcp_check') return { outcome: { status: 'succeeded' }, result: { tcp: readTcpCheck(tcp) } };
    if (tool === 'http_check') return { outcome: { status: 'succeeded' }, result: { http: readHttpCheck(http) } };
    const { error, ...ways } = readSpeed(speed);
    const whole = ways.down !== null && ways.up !== null;
    return {
      outcome: whole ? { status: 'succeeded' } : { status: 'failed', reason: error ?? 'job.refused' },
      result: { speed: ways },
    };
  }

  /** Replaces the run's one-time address. */
  async function address(ref: RunRef, seconds: number, path = uploadPath): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const until = new Date(clock.now().getTime() + seconds * 1000 + uploadLimitMs);
    await database.withSystem((tx) => updateRun(tx, ref, { upload_hash: tokenHash(secret), upload_until: until }));
    return `${publicUrl()}${path}${ref.accountId}.${ref.id}.${secret}`;
  }

  /** Accepts the answer before or after the upload, which may outlast the answer's timeout. */
  async function brought(ref: RunRef, answer: Promise<CommandResult>): Promise<Answer> {
    const result = await answer.catch((error: unknown) => {
      if (error instanceof DeviceTimeout && error.sent) return null;
      throw error;
    });
    if (result && replyMeaning(result) !== 'done') return { outcome: refused(result) };
    const text = result ? replyText(result).slice(0, maxOutput) : '';
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
    return enqueue(tx, recheckTask, ref, { key: `${recheckTask}:${ref.accountId}.${ref.id}`, runAt });
  }

  async function scanned(device: DeviceRef, result: CommandResult): Promise<Answer> {
    if (replyMeaning(result) !== 'done') return { outcome: refused(result) };
    const scan = asList(asRecord<{ scan: unknown }>(result.status).scan);
    const owners = await database.withSystem(async (tx) => {
      const [self] = await devicesBySerial(tx, device.accountId, [device.serial]);
      const near = self?.gwid ? await devicesOf(tx, device.accountId, [self.gwid]) : [];
      const serials = near.slice(0, maxOwn).map(({ serial }) => serial);
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
      [recheckTask]: async ({ accountId, serial }: RunRef & { serial: string }) => jobs.wake(accountId, serial),
    },
  };
}

/** Accepts non-zero exits: `ping` reports an unreachable target so. */
function spoken(tool: 'ping' | 'traceroute', printed: string, result: CommandResult): Answer {
  const output = printed.slice(0, maxOutput);
  if (tool === 'ping') {
    const ping = readPing(output);
    if (ping.sent === null) return { outcome: unusable(output, result), result: { output } };
    return { outcome: { status: 'succeeded' }, result: { output, ping } };
  }
  const hops = readHops(output);
  if (hops.length === 0) return { outcome: unusable(output, result), result: { output } };
  return { outcome: { status: 'succeeded' }, result: { output, hops } };
}

/** Prefers the program's output over the device's. */
function unusable(output: string, result: CommandResult): Outcome {
  const words = output.trim() || replyText(result).trim();
  return { status: 'failed', reason: words.split('\n')[0]?.slice(0, 200) || 'job.refused' };
}

function plain(result: CommandResult): Answer {
  return { outcome: replyMeaning(result) === 'done' ? { status: 'succeeded' } : refused(result) };
}

function refused(result: CommandResult): Outcome {
  return { status: 'failed', reason: replyText(result).slice(0, 200) || 'job.refused' };
}

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
