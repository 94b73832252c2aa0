import { randomUUID } from 'node:crypto';
import { replyMeaning } from '@yunxun/contract/device';
import {
  type DeviceCommands,
  DeviceError,
  DeviceOffline,
  type DeviceRef,
  DeviceTimeout,
} from '../../../uplink/index.ts';

/** See docs/protocol.md, Commands. */
const collectState = '#!/bin/sh\n/usr/share/ucentral/state.uc >/dev/null\n';
const scriptSeconds = 10;
const requestMs = 10_000;
/** Per process, against bursts of 10,000 new devices. */
const maxConcurrent = 32;
const retryAfterMs = [15_000, 60_000, 180_000] as const;

type Way = 'script' | 'request';

interface Pending {
  device: DeviceRef;
  ways: readonly Way[];
  attempt: number;
  timer: NodeJS.Timeout | null;
}

export interface ReportRequestOptions {
  commands: Pick<DeviceCommands, 'call' | 'script'>;
  retryAfter?: readonly number[];
}

export type ReportRequests = ReturnType<typeof createReportRequests>;

const nameOf = ({ accountId, serial }: DeviceRef) => `${accountId}.${serial}`;

export function waysOf(platform: string | null): readonly Way[] {
  return platform === 'switch' ? ['request'] : ['script', 'request'];
}

export function createReportRequests({ commands, retryAfter = retryAfterMs }: ReportRequestOptions) {
  const pending = new Map<string, Pending>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run(work: () => Promise<void>): Promise<void> {
    if (running < maxConcurrent) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  async function send(device: DeviceRef, way: Way): Promise<boolean> {
    if (way === 'script') return (await commands.script(device, 'shell', collectState, scriptSeconds)).exitCode === 0;
    const params = { message: 'state', request_uuid: randomUUID(), when: 0 } as const;
    return replyMeaning(await commands.call(device, 'request', params, { timeoutMs: requestMs })) === 'done';
  }

  async function ask(device: DeviceRef, ways: readonly Way[]): Promise<boolean> {
    for (const way of ways) {
      try {
        if (await send(device, way)) return true;
      } catch (error) {
        if (!(error instanceof DeviceError || error instanceof DeviceTimeout)) throw error;
      }
    }
    return false;
  }

  function cancel(device: DeviceRef): void {
    const name = nameOf(device);
    const timer = pending.get(name)?.timer;
    if (timer) clearTimeout(timer);
    pending.delete(name);
  }

  async function attempt(entry: Pending): Promise<void> {
    const { device, ways } = entry;
    // devices may accept a script without running it
    const first = entry.attempt % ways.length;
    const order = [...ways.slice(first), ...ways.slice(0, first)];
    try {
      await run(async () => {
        if (pending.get(nameOf(device)) === entry) await ask(device, order);
      });
    } catch {
      // the next session asks again
      if (pending.get(nameOf(device)) === entry) cancel(device);
      return;
    }
    const wait = retryAfter[entry.attempt];
    if (pending.get(nameOf(device)) !== entry) return;
    if (wait === undefined) {
      cancel(device);
      return;
    }
    entry.attempt += 1;
    entry.timer = setTimeout(() => void attempt(entry), wait).unref();
  }

  return {
    start(device: DeviceRef, platform: string | null): void {
      const name = nameOf(device);
      if (pending.has(name)) return;
      const entry: Pending = { device, ways: waysOf(platform), attempt: 0, timer: null };
      pending.set(name, entry);
      void attempt(entry);
    },

    /** @returns whether the device accepted */
    async once(device: DeviceRef, platform: string | null): Promise<boolean> {
      let accepted = false;
      await run(async () => {
        accepted = await ask(device, waysOf(platform)).catch((error: unknown) => {
          if (error instanceof DeviceOffline) return false;
          throw error;
        });
      });
      return accepted;
    },

    cancel,
  };
}
