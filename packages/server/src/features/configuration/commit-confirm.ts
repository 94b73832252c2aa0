import { asCount, asList, asRecord, asText, type EventPayloads } from '@yunxun/contract/device';

export type CommitConfirmReport = { uuid: number; until: Date } | { uuid: number; reason: string; at: Date };

/** Maximum confirm window in seconds. */
const longest = 900;

/** Dates the window by arrival: the gateway's clock may be wrong. */
export function readCommitConfirmReport(
  params: Readonly<Record<string, unknown>>,
  at: Date,
): CommitConfirmReport | null {
  const [second, body] = asList(asRecord<{ event: unknown }>(params.data).event);
  const { type, payload } = asRecord<{ type: string; payload: unknown }>(body);
  if (type === 'unit.config-pending') {
    const raw = asRecord<EventPayloads['unit.config-pending']>(payload);
    const [uuid, until, now] = [asCount(raw.uuid), asCount(raw.until), asCount(second)];
    if (!uuid || until === null || now === null) return null;
    const seconds = Math.min(Math.max(until - now, 0), longest);
    return { uuid, until: new Date(at.getTime() + seconds * 1000) };
  }
  if (type !== 'unit.config-returned') return null;
  const rawState = asRecord<EventPayloads['unit.config-returned']>(payload);
  const uuid = asCount(rawState.uuid);
  const reason = asText(rawState.reason, 1000)?.replaceAll('\0', '') || 'job.refused';
  return uuid ? { uuid, reason, at } : null;
}
