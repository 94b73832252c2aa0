import { randomUUID } from 'node:crypto';
import { replyMeaning, replyText } from '@yunxun/contract/device';
import { Failure } from '../../../platform/failure.ts';
import {
  type CommandResult,
  type DeviceCommands,
  DeviceError,
  DeviceOffline,
  DeviceTimeout,
} from '../../../uplink/index.ts';
import type { DeviceRef } from '../presence.ts';

/** `gone`: connection lost before the answer; `silent`: no answer in time; `sent`: may have the command. */
export type CommandOutcome =
  | { outcome: 'done' }
  | { outcome: 'offline' }
  | { outcome: 'gone' }
  | { outcome: 'silent'; sent: boolean }
  | { outcome: 'refused'; text: string };

export interface FleetCommands {
  reboot(ref: DeviceRef): Promise<CommandOutcome>;
  upgrade(ref: DeviceRef, uri: string, signature?: string | null): Promise<CommandOutcome>;
  blink(ref: DeviceRef, seconds: number): Promise<CommandOutcome>;
  refresh(ref: DeviceRef): Promise<CommandOutcome>;
}

/** Milliseconds: a page waits. */
const timeoutMs = 10_000;
/** Access points cannot run `request`; their collector reports (docs/protocol.md, Commands). */
const collectState = Buffer.from('#!/bin/sh\n/usr/share/ucentral/state.uc >/dev/null\n').toString('base64');

export function createCommands(devices: Pick<DeviceCommands, 'call' | 'reboot' | 'upgrade'>): FleetCommands {
  const patient = { timeoutMs };
  return {
    reboot: (ref) =>
      attempt(async () => {
        await devices.reboot(ref);
        return { outcome: 'done' };
      }),
    upgrade: (ref, uri, signature) =>
      attempt(async () => {
        await devices.upgrade(ref, { uri, ...(signature && { signature }) });
        return { outcome: 'done' };
      }),
    blink: (ref, seconds) =>
      attempt(async () =>
        readReply(await devices.call(ref, 'leds', { pattern: 'blink', duration: seconds, when: 0 }, patient)),
      ),
    refresh: (ref) =>
      attempt(async () => {
        const request = { message: 'state', request_uuid: randomUUID(), when: 0 } as const;
        const asked = readReply(await devices.call(ref, 'request', request, patient));
        if (asked.outcome === 'done') return asked;
        const script = { type: 'shell', script: collectState, timeout: timeoutMs / 1000, when: 0 } as const;
        return readReply(await devices.call(ref, 'script', script, patient));
      }),
  };
}

function readReply(result: CommandResult): CommandOutcome {
  return replyMeaning(result) === 'done' ? { outcome: 'done' } : { outcome: 'refused', text: replyText(result) };
}

async function attempt(command: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof DeviceOffline) return { outcome: error.sent ? 'gone' : 'offline' };
    if (error instanceof DeviceTimeout) return { outcome: 'silent', sent: error.sent };
    if (error instanceof DeviceError)
      return error.code === 'DEVICE_BUSY'
        ? { outcome: 'silent', sent: false }
        : { outcome: 'refused', text: error.message };
    throw error;
  }
}

/** @throws Failure unless done */
export function requireDone(outcome: CommandOutcome): void {
  switch (outcome.outcome) {
    case 'done':
      return;
    case 'offline':
    case 'gone':
      throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
    case 'silent':
      throw new Failure('deviceSilent');
    case 'refused':
      throw new Failure('unsupported', { data: { reason: outcome.text } });
  }
}
