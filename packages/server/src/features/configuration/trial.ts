import { asCount, asList, asRecord, asText, type EventPayloads } from '@yunxun/contract/device';

/** What a gateway said of the configuration of a number: that it tries it out, or that it has taken it back. */
export type TrialWord = { uuid: number; until: Date } | { uuid: number; reason: string; at: Date };

/** No box waits longer for its confirmation, in seconds. */
const longest = 900;

/**
 * Reads an event of our own agent; null for any other. How long a trial lasts is the box's word, when it ends is counted
 * from its arrival: the clock of a box may be wrong.
 */
export function trialWord(params: Readonly<Record<string, unknown>>, at: Date): TrialWord | null {
  const [second, body] = asList(asRecord<{ event: unknown }>(params.data).event);
  const { type, payload } = asRecord<{ type: string; payload: unknown }>(body);
  if (type === 'unit.config-pending') {
    const said = asRecord<EventPayloads['unit.config-pending']>(payload);
    const [uuid, until, now] = [asCount(said.uuid), asCount(said.until), asCount(second)];
    if (!uuid || until === null || now === null) return null;
    const seconds = Math.min(Math.max(until - now, 0), longest);
    return { uuid, until: new Date(at.getTime() + seconds * 1000) };
  }
  if (type !== 'unit.config-returned') return null;
  const said = asRecord<EventPayloads['unit.config-returned']>(payload);
  const uuid = asCount(said.uuid);
  const reason = asText(said.reason, 1000)?.replaceAll('\0', '') || 'job.refused';
  return uuid ? { uuid, reason, at } : null;
}
