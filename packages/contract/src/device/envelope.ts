import { deviceLimits } from './limits.ts';
import { isRecord } from './read.ts';

export interface DeviceMessage<P = Record<string, unknown>> {
  jsonrpc: '2.0';
  method: string;
  params: P;
}

/** 1…2^31-1: devices return larger ids as 0. */
export interface Command<P = Record<string, unknown>> {
  jsonrpc: '2.0';
  method: string;
  params: P;
  id: number;
}

/** 0 done, 1 partly rejected, 2 and above failed. */
export interface ReplyStatus {
  error: number;
  text?: string;
  /** Sentences; objects in the published protocol. */
  rejected?: readonly unknown[];
  when?: number;
  [more: string]: unknown;
}

export interface ReplyResult {
  serial: string;
  uuid: number;
  status?: ReplyStatus;
  /** Of `ping`, edge agent: uuid of the last configuration that it tried and took back; 0: none. */
  returned?: number;
  [more: string]: unknown;
}

export interface Reply {
  jsonrpc: '2.0';
  id: number;
  result: ReplyResult;
}

/** Outside JSON-RPC: a raw packet, base64. */
export interface RadiusFrame {
  radius: 'auth' | 'acct' | 'coa';
  data: string;
}

/** `compress_sz` is a hint: inflate with a hard cap. */
export interface CompressedParams {
  compress_64: string;
  compress_sz?: number;
}

export type DeviceFrame =
  | { kind: 'message'; method: string; params: Record<string, unknown> }
  | { kind: 'reply'; id: number; result: Record<string, unknown> }
  | { kind: 'error'; id: number | null; code: number; message: string }
  | { kind: 'radius'; radius: RadiusFrame['radius']; data: string }
  | { kind: 'invalid'; why: string };

const radiusKinds: ReadonlySet<unknown> = new Set(['auth', 'acct', 'coa']);

export function isCompressed(params: unknown): params is CompressedParams {
  return isRecord(params) && typeof params.compress_64 === 'string';
}

/** Returns whether a value is in 1…2^31-1, the range of ids and uuids. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= deviceLimits.int32;
}

/** Wraps to 1 at the device's limit. */
export function nextId(previous: number): number {
  return previous >= 1 && previous < deviceLimits.int32 ? previous + 1 : 1;
}

export function command(method: string, params: Record<string, unknown>, id: number): Command {
  return { jsonrpc: '2.0', method, params, id };
}

export function deviceMessage<P>(method: string, params: P): DeviceMessage<P> {
  return { jsonrpc: '2.0', method, params };
}

/** Tolerates a missing `jsonrpc` or `params`. */
export function readDeviceFrame(value: unknown): DeviceFrame {
  if (!isRecord(value)) return { kind: 'invalid', why: 'not an object' };
  if (radiusKinds.has(value.radius)) {
    if (typeof value.data !== 'string') return { kind: 'invalid', why: 'radius without data' };
    return { kind: 'radius', radius: value.radius as RadiusFrame['radius'], data: value.data };
  }
  if (typeof value.method === 'string') {
    if (value.method === '' || value.method.length > 64) return { kind: 'invalid', why: 'method name' };
    if (value.params !== undefined && !isRecord(value.params)) return { kind: 'invalid', why: 'params' };
    return { kind: 'message', method: value.method, params: value.params ?? {} };
  }
  const id = typeof value.id === 'number' ? value.id : null;
  if (isRecord(value.result)) {
    if (id === null) return { kind: 'invalid', why: 'reply without id' };
    return { kind: 'reply', id, result: value.result };
  }
  if (isRecord(value.error)) {
    const { code, message } = value.error;
    return {
      kind: 'error',
      id,
      code: typeof code === 'number' ? code : 0,
      message: typeof message === 'string' ? message.slice(0, 1024) : '',
    };
  }
  return { kind: 'invalid', why: 'neither message nor reply' };
}
