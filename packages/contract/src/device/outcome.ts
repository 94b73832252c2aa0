import { type EdgePort53Refusal, edgePort53Refusals } from './edge-port53.ts';
import type { ReplyResult, ReplyStatus } from './envelope.ts';
import { deviceLimits } from './limits.ts';
import { asList, asNumber, asRecord, asText, asTexts } from './read.ts';

/** `status.error`; larger numbers are failures too. */
export const replyErrors = { done: 0, partly: 1, failed: 2 } as const;
export type ReplyMeaning = keyof typeof replyErrors;

/** Treats a reply without status as done. */
export function replyMeaning(result: unknown): ReplyMeaning {
  const error = asNumber(asRecord<ReplyStatus>(asRecord<ReplyResult>(result).status).error) ?? 0;
  if (error === replyErrors.done) return 'done';
  return error === replyErrors.partly ? 'partly' : 'failed';
}

export function replyText(result: unknown): string {
  return asText(asRecord<ReplyStatus>(asRecord<ReplyResult>(result).status).text) ?? '';
}

/** Returns rejections as sentences; objects are converted. */
export function rejections(result: unknown): readonly string[] {
  const { rejected } = asRecord<ReplyStatus>(asRecord<ReplyResult>(result).status);
  return asList(rejected)
    .slice(0, 256)
    .map((entry) => {
      if (typeof entry === 'string') return entry.slice(0, 1024);
      const { parameter, reason } = asRecord<{ parameter: string; reason: string }>(entry);
      const sentence = [asText(parameter, 512), asText(reason, 512)].filter((part) => part !== null).join(': ');
      return sentence === '' ? JSON.stringify(entry ?? null).slice(0, 1024) : sentence;
    });
}

export type ConfigureOutcome =
  /** `withheld`: LANs without an address, because a WAN uplink has their subnet (edge agent). */
  | { outcome: 'applied'; rejected: readonly string[]; withheld?: readonly string[] }
  /** `port53`: another DNS server of the host has the place (edge agent). */
  | { outcome: 'rejected'; rejected: readonly string[]; text: string; port53?: EdgePort53Refusal }
  /** This or a newer uuid; `active` runs. */
  | { outcome: 'stale'; active: number };

/** Returns applied for error 0 or 1 with the sent uuid. Error 0 with another ("Already applied.") changed nothing. */
export function configureOutcome(result: unknown, sentUuid: number): ConfigureOutcome {
  const meaning = replyMeaning(result);
  if (meaning === 'failed') {
    const why = asRecord<{ port53: unknown }>(asRecord<ReplyResult>(result).status).port53;
    const port53 = edgePort53Refusals.find((one) => one === why);
    const refused = { outcome: 'rejected', rejected: rejections(result), text: replyText(result) } as const;
    return port53 === undefined ? refused : { ...refused, port53 };
  }
  const active = asNumber(asRecord<ReplyResult>(result).uuid) ?? 0;
  if (active !== sentUuid) return { outcome: 'stale', active };
  const withheld = asTexts(asRecord<{ withheld: unknown }>(asRecord<ReplyResult>(result).status).withheld).slice(0, 32);
  return { outcome: 'applied', rejected: rejections(result), ...(withheld.length > 0 && { withheld }) };
}

/** Exceeds the last sent and reported one, not below the clock. Null: 31 bits exhausted. */
export function nextConfigurationUuid(nowSeconds: number, lastSent: number, reported: number): number | null {
  const uuid = Math.max(Math.floor(nowSeconds), lastSent + 1, reported + 1, 2);
  return uuid <= deviceLimits.int32 ? uuid : null;
}

/** Push nothing. */
export const recoveryUuid = 0;
/** `connect.uuid` of the factory configuration. */
export const unconfiguredUuid = 1;
