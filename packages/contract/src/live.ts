import type { DeviceStatus } from './enums.ts';
import type { Permission } from './permissions.ts';

/** A device or network of the account changed; the page patches or refetches what shows it. `gwid` null: it waits. */
export type FleetFact =
  | { type: 'device.status'; serial: string; gwid: string | null; status: DeviceStatus; since: string | null }
  /** Bound, placed, renamed, or what it says of itself changed. */
  | { type: 'device.changed'; serial: string; gwid: string | null }
  | { type: 'device.removed'; serial: string; gwid: string | null }
  | { type: 'network.changed'; gwid: string }
  | { type: 'network.removed'; gwid: string };

/** A job moved. */
export interface JobFact {
  type: 'job';
  job_id: string;
}

/** The inbox has something new, or `person_id` read or deleted something of it elsewhere. */
export interface MessageFact {
  type: 'message';
  gwid: string | null;
  /** The one person whom it concerns; null: everybody who may read the inbox. */
  person_id: string | null;
}

/** What the person of this stream may do and see here has changed: the page asks for it anew. */
export interface RightsFact {
  type: 'rights';
}

/** What `/api/v3/live` tells open pages; features add their facts to the union. */
export type LiveFact = FleetFact | JobFact | MessageFact | RightsFact;

const permissions: Readonly<Record<LiveFact['type'], Permission | null>> = {
  rights: null,
  'device.status': 'network.read',
  'device.changed': 'network.read',
  'device.removed': 'network.read',
  'network.changed': 'network.read',
  'network.removed': 'network.read',
  job: 'job.read',
  message: 'message.read',
};

/** What a page must be allowed to be told of a fact; null for one that is no secret. */
export function permissionOfFact(type: string): Permission | null {
  return Object.hasOwn(permissions, type) ? permissions[type as LiveFact['type']] : null;
}
