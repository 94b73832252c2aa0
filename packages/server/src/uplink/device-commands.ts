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

/** Nobody holds the device's socket, or it was lost; `sent` says whether the device may have acted all the same. */
export class DeviceOffline extends Error {
  override readonly name = 'DeviceOffline';

  constructor(
    readonly device: DeviceRef,
    readonly sent: boolean,
  ) {
    super(`device ${device.serial} is offline`);
  }
}

/** The device did not answer in time; `sent` says whether the command reached it. */
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

/** The device said no, or the command could not be put to it. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';

  constructor(
    readonly device: DeviceRef,
    readonly method: string,
    /** `STATUS`: the reply's own status; else why it was not sent. */
    readonly code: CommandErrorCode | 'STATUS',
    message: string,
    readonly result: CommandResult | null,
  ) {
    super(message);
  }
}

/** What a script printed, and its exit code. */
export interface ScriptResult {
  exitCode: number;
  output: string;
}

/** On its way through the bus a command needs this much longer than the device, milliseconds. */
const busMargin = 3000;

/** What an access point runs in place of `request`, whose service its firmware lost (device-protocol.md 1.5). */
const refreshScripts = {
  state: '#!/bin/sh\n/usr/share/ucentral/state.uc >/dev/null\n',
  healthcheck: '#!/bin/sh\n/usr/share/ucentral/health.uc >/dev/null\n',
} as const;

/**
 * Commands to devices, wherever their sockets are. Every method throws DeviceOffline, DeviceTimeout or DeviceError;
 * those that change a device run one after the other per device.
 */
export class DeviceCommands {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Sends any command and gives the reply's result as it came. Times are milliseconds. */
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

  /**
   * Pushes a configuration; `uuid` goes beside and inside the document. The outcome is the device's own word, for which
   * `timeoutMs` is waited.
   */
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

  /** Restarts the device; it answers at once and goes down seconds later. */
  async reboot(device: DeviceRef): Promise<void> {
    this.#expectDone(device, 'reboot', await this.call(device, 'reboot', { when: 0 }));
  }

  /** Resets the device; with `keepRedirector` it keeps keys, certificates and address and comes back here. */
  async factory(device: DeviceRef, keepRedirector: boolean): Promise<void> {
    const params = { when: 0, keep_redirector: keepRedirector ? 1 : 0 } as const;
    this.#expectDone(device, 'factory', await this.call(device, 'factory', params));
  }

  /** Has the device fetch and install firmware; it restarts when that works. */
  async upgrade(device: DeviceRef, image: { uri: string; signature?: string }): Promise<void> {
    const params = {
      uri: image.uri,
      when: 0,
      keep_redirector: 1,
      ...(image.signature && { signature: image.signature }),
    } as const;
    this.#expectDone(device, 'upgrade', await this.call(device, 'upgrade', params));
  }

  /** Lights on, off or blinking for some seconds. */
  async leds(device: DeviceRef, pattern: CommandParams['leds']['pattern'], seconds: number): Promise<void> {
    this.#expectDone(device, 'leds', await this.call(device, 'leds', { pattern, duration: seconds, when: 0 }));
  }

  /** Runs a script on the device; `seconds` is how long it may take. */
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

  /**
   * Asks for a fresh report, which then comes as a message of its own. Firmware that lost its `request` service is
   * asked by a script instead.
   */
  async refresh(device: DeviceRef, what: 'state' | 'healthcheck'): Promise<{ by: 'request' | 'script' }> {
    const result = await this.call(device, 'request', { message: what, request_uuid: randomUUID(), when: 0 });
    if (replyMeaning(result) === 'done') return { by: 'request' };
    const { exitCode, output } = await this.script(device, 'shell', refreshScripts[what]);
    if (exitCode !== 0) throw new DeviceError(device, 'script', 'STATUS', output || replyText(result), result);
    return { by: 'script' };
  }

  /** Scans the air; entries as the device gives them. */
  async wifiscan(device: DeviceRef, params: CommandParams['wifiscan']): Promise<readonly unknown[]> {
    const result = await this.call(device, 'wifiscan', params);
    this.#expectDone(device, 'wifiscan', result);
    return asList(asRecord<{ scan: unknown }>(result.status).scan);
  }

  /** Events that the device still remembers, by type. */
  async event(device: DeviceRef, types: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.call(device, 'event', { types });
    this.#expectDone(device, 'event', result);
    return asRecord(result.events);
  }

  /** Has the device report every `interval` seconds, for `seconds` at the longest; interval 0 stops it. */
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
