import type { DeviceStatus } from './enums.ts';
import type { Permission } from './permissions.ts';

export type FleetFact =
  | { type: 'device.status'; serial: string; gwid: string | null; status: DeviceStatus; since: string | null }
  | { type: 'device.changed'; serial: string; gwid: string | null }
  | { type: 'device.removed'; serial: string; gwid: string | null }
  | { type: 'network.changed'; gwid: string }
  | { type: 'network.removed'; gwid: string };

export interface JobFact {
  type: 'job';
  job_id: string;
}

/** New message, or one read or deleted elsewhere. */
export interface MessageFact {
  type: 'message';
  gwid: string | null;
  /** Recipient; null: all inbox readers. */
  person_id: string | null;
}

/** Alarms of a network, or of the account, opened, changed or recovered. */
export interface AlarmFact {
  type: 'alarm';
  gwid: string | null;
}

/** At most one per network and half second. */
export interface ClientsFact {
  type: 'clients';
  gwid: string;
}

/** The page reloads the person's permissions. */
export interface RightsFact {
  type: 'rights';
}

/** Disk full or free again; the page reloads the person. */
export interface StorageFact {
  type: 'storage';
}

export type LiveFact = FleetFact | JobFact | MessageFact | AlarmFact | ClientsFact | RightsFact | StorageFact;

const permissions: Readonly<Record<LiveFact['type'], Permission | null>> = {
  rights: null,
  storage: null,
  'device.status': 'network.read',
  'device.changed': 'network.read',
  'device.removed': 'network.read',
  'network.changed': 'network.read',
  'network.removed': 'network.read',
  job: 'job.read',
  message: 'message.read',
  alarm: 'message.read',
  clients: 'user.read',
};

/** Null: none needed. */
export function permissionOfFact(type: string): Permission | null {
  return Object.hasOwn(permissions, type) ? permissions[type as LiveFact['type']] : null;
}
