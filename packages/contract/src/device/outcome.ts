import type { ReplyResult, ReplyStatus } from './envelope.ts';
import { deviceLimits } from './limits.ts';
import { asList, asNumber, asRecord, asText } from './read.ts';

/** `status.error` of a reply: done; done, but parts were rejected; not done. Larger numbers are failures too. */
export const replyErrors = { done: 0, partly: 1, failed: 2 } as const;
/** Name of a reply error. */
export type ReplyMeaning = keyof typeof replyErrors;

/** What a reply means. A reply without status (ping, requests of some devices) is done. */
export function replyMeaning(result: unknown): ReplyMeaning {
  const error = asNumber(asRecord<ReplyStatus>(asRecord<ReplyResult>(result).status).error) ?? 0;
  if (error === replyErrors.done) return 'done';
  return error === replyErrors.partly ? 'partly' : 'failed';
}

/** `status.text`, or nothing. */
export function replyText(result: unknown): string {
  return asText(asRecord<ReplyStatus>(asRecord<ReplyResult>(result).status).text) ?? '';
}

/** The rejections of a `configure` reply as sentences; the object form of the document is put into words. */
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

/** How a `configure` ended, by the device's own word. */
export type ConfigureOutcome =
  | { outcome: 'applied'; rejected: readonly string[] }
  | { outcome: 'rejected'; rejected: readonly string[]; text: string }
  /** The device holds this or a newer uuid already and did nothing: `active` is what it runs. */
  | { outcome: 'stale'; active: number };

/**
 * Reads the reply to `configure`. Applied means error 0 or 1 and the very uuid that was sent; error 0 with another uuid
 * is "Already applied.", which changed nothing.
 */
export function configureOutcome(result: unknown, sentUuid: number): ConfigureOutcome {
  const meaning = replyMeaning(result);
  if (meaning === 'failed') {
    return { outcome: 'rejected', rejected: rejections(result), text: replyText(result) };
  }
  const active = asNumber(asRecord<ReplyResult>(result).uuid) ?? 0;
  if (active !== sentUuid) return { outcome: 'stale', active };
  return { outcome: 'applied', rejected: rejections(result) };
}

/**
 * The uuid for the next configuration of a device: above everything it ever stored (the last one sent, the one it
 * reports), and not below the clock. Null when the 31 bits are used up.
 */
export function nextConfigurationUuid(nowSeconds: number, lastSent: number, reported: number): number | null {
  const uuid = Math.max(Math.floor(nowSeconds), lastSent + 1, reported + 1, 2);
  return uuid <= deviceLimits.int32 ? uuid : null;
}

/** `connect.uuid` of a recovery boot: nothing may be pushed. */
export const recoveryUuid = 0;
/** `connect.uuid` of an access point that runs its factory configuration. */
export const unconfiguredUuid = 1;
