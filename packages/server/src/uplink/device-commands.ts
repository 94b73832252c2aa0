import { randomUUID } from 'node:crypto';
import {
  asList,
  asRecord,
  asText,
  type CommandParams,
  type ConfigurationDocument,
  type ConfigureOutcome,
  commandTimeouts,
  configureOutcome,
  replyMeaning,
  replyText,
  type TypedCommand,
} from '@yunxun/contract/device';
import { type Bus, BusTimeout, NoResponder, RemoteError } from '../platform/bus/index.ts';
import type { CommandResult } from './channel.ts';
import type { CommandErrorCode } from './command-error.ts';
import type { DeviceRef } from './ports.ts';
import type { RpcRequest } from './rpc.ts';
import { rpcSubject } from './subjects.ts';

/** No session, or lost; `sent`: the device may have acted. */
export class DeviceOffline extends Error {
  override readonly name = 'DeviceOffline';

  constructor(
    readonly device: DeviceRef,
    readonly sent: boolean,
  ) {
    super(`device ${device.serial} is offline`);
  }
}

/** `sent`: the command reached the device. */
export class DeviceTimeout extends Error {
  override readonly name = 'DeviceTimeout';

  constructor(
    readonly device: DeviceRef,
    readonly method: string,
    readonly sent: boolean,
  ) {
    super(`device ${device.serial} did not answer ${method}`);
  }
}

export class DeviceError extends Error {
  override readonly name = 'DeviceError';

  constructor(
    readonly device: DeviceRef,
    readonly method: string,
    /** `STATUS`: of the reply. */
    readonly code: CommandErrorCode | 'STATUS',
    message: string,
    readonly result: CommandResult | null,
  ) {
    super(message);
  }
}

export interface ScriptResult {
  exitCode: number;
  output: string;
}

/** Milliseconds for the bus. */
const busMargin = 3000;

/** Replaces `request` on firmware without its service (docs/protocol.md, Commands). */
const refreshScripts = {
  state: '#!/bin/sh\n/usr/share/ucentral/state.uc >/dev/null\n',
  healthcheck: '#!/bin/sh\n/usr/share/ucentral/health.uc >/dev/null\n',
} as const;

/**
 * Runs one change at a time per device.
 * @throws DeviceOffline, DeviceTimeout or DeviceError
 */
export class DeviceCommands {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  async call<M extends TypedCommand>(
    device: DeviceRef,
    method: M,
    params: CommandParams[M],
    more: { timeoutMs?: number; stopAfterMs?: number } = {},
  ): Promise<CommandResult> {
    const timeoutMs = more.timeoutMs ?? commandTimeouts[method];
    const request: RpcRequest = { ...more, method, params, timeoutMs };
    try {
      return (await this.#bus.request(rpcSubject(device), request, timeoutMs + busMargin)) as CommandResult;
    } catch (error) {
      throw translate(error, device, method);
    }
  }

  /** Sends `uuid` beside and inside the document. `timeoutMs`: until the acknowledgement. */
  async configure(
    device: DeviceRef,
    config: Readonly<Record<string, unknown>>,
    uuid: number,
    timeoutMs: number = commandTimeouts.configure,
  ): Promise<ConfigureOutcome> {
    const document: ConfigurationDocument = { ...config, uuid };
    const params = { uuid, config: document, when: 0 };
    return configureOutcome(await this.call(device, 'configure', params, { timeoutMs }), uuid);
  }

  /** Resolves at once; the device restarts seconds later. */
  async reboot(device: DeviceRef): Promise<void> {
    this.#expectDone(device, 'reboot', await this.call(device, 'reboot', { when: 0 }));
  }

  /** Keeps keys, certificates and address with `keepRedirector`, so that the device reconnects. */
  async factory(device: DeviceRef, keepRedirector: boolean): Promise<void> {
    const params = { when: 0, keep_redirector: keepRedirector ? 1 : 0 } as const;
    this.#expectDone(device, 'factory', await this.call(device, 'factory', params));
  }

  async upgrade(device: DeviceRef, image: { uri: string; signature?: string }): Promise<void> {
    const params = {
      uri: image.uri,
      when: 0,
      keep_redirector: 1,
      ...(image.signature && { signature: image.signature }),
    } as const;
    this.#expectDone(device, 'upgrade', await this.call(device, 'upgrade', params));
  }

  async leds(device: DeviceRef, pattern: CommandParams['leds']['pattern'], seconds: number): Promise<void> {
    this.#expectDone(device, 'leds', await this.call(device, 'leds', { pattern, duration: seconds, when: 0 }));
  }

  /** Runs a script for at most `seconds`. */
  async script(device: DeviceRef, type: 'shell' | 'ucode', body: string, seconds = 30): Promise<ScriptResult> {
    const params = { type, script: Buffer.from(body).toString('base64'), timeout: seconds, when: 0 };
    const result = await this.call(device, 'script', params, { timeoutMs: (seconds + 10) * 1000 });
    const status = asRecord<{ error: number; result: unknown }>(result.status);
    const output = status.result;
    return {
      exitCode: Number(status.error ?? 0),
      output: typeof output === 'string' ? output : JSON.stringify(output ?? ''),
    };
  }

  /** Requests a report, which arrives as a message; by script if `request` fails. */
  async refresh(device: DeviceRef, what: 'state' | 'healthcheck'): Promise<{ by: 'request' | 'script' }> {
    const result = await this.call(device, 'request', { message: what, request_uuid: randomUUID(), when: 0 });
    if (replyMeaning(result) === 'done') return { by: 'request' };
    const { exitCode, output } = await this.script(device, 'shell', refreshScripts[what]);
    if (exitCode !== 0) throw new DeviceError(device, 'script', 'STATUS', output || replyText(result), result);
    return { by: 'script' };
  }

  async wifiscan(device: DeviceRef, params: CommandParams['wifiscan']): Promise<readonly unknown[]> {
    const result = await this.call(device, 'wifiscan', params);
    this.#expectDone(device, 'wifiscan', result);
    return asList(asRecord<{ scan: unknown }>(result.status).scan);
  }

  async event(device: DeviceRef, types: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.call(device, 'event', { types });
    this.#expectDone(device, 'event', result);
    return asRecord(result.events);
  }

  /** Requests reports every `interval` seconds for at most `seconds`; 0 stops. */
  async telemetry(device: DeviceRef, interval: number, types: readonly string[], seconds: number): Promise<void> {
    const result = await this.call(device, 'telemetry', { interval, types }, { stopAfterMs: seconds * 1000 });
    this.#expectDone(device, 'telemetry', result);
  }

  #expectDone(device: DeviceRef, method: TypedCommand, result: CommandResult): void {
    if (replyMeaning(result) === 'done') return;
    throw new DeviceError(device, method, 'STATUS', replyText(result) || `${method} failed`, result);
  }
}

function translate(error: unknown, device: DeviceRef, method: string): unknown {
  if (error instanceof NoResponder) return new DeviceOffline(device, false);
  if (error instanceof BusTimeout) return new DeviceTimeout(device, method, true);
  if (!(error instanceof RemoteError)) return error;
  const sent = asRecord<{ sent: boolean }>(error.data).sent === true;
  const code = asText(error.code) as CommandErrorCode;
  if (code === 'DEVICE_GONE') return new DeviceOffline(device, sent);
  if (code === 'DEVICE_TIMEOUT') return new DeviceTimeout(device, method, sent);
  return new DeviceError(device, method, code, error.message, null);
}
