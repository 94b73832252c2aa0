import type { RemoteEndReason } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';

/** `held`: a process has the connection of the device. */
export type SessionFact = { type: 'held' } | { type: 'ended'; reason: RemoteEndReason; detail: string | null };

const subjectOf = (id: string) => `remote.${id}.fact`;

/** No responder: no process has the connection of the device. */
export const holderSubject = (id: string) => `remote.${id}.holder`;

export function publishFact(bus: Bus, id: string, fact: SessionFact): void {
  bus.publish(subjectOf(id), fact);
}

export function onFact(bus: Bus, id: string, handle: (fact: SessionFact) => void): () => void {
  return bus.subscribe(subjectOf(id), (fact) => handle(fact as SessionFact));
}

export function onEveryFact(bus: Bus, handle: (id: string, fact: SessionFact) => void): () => void {
  return bus.subscribe(subjectOf('*'), (fact, subject) => handle(subject.split('.')[1] ?? '', fact as SessionFact));
}
