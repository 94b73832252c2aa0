import { nextConfigurationUuid } from '@yunxun/contract/device';
import { type ConfigState, staged, unstaged, wasReturned, wouldBeRejected } from './transitions.ts';

/**
 * What wanting a document came to. `staged`: it is to be brought to the device; `unchanged`: the device runs it;
 * `rejected_before`: it refused exactly this with this firmware; `wrong`: it must not be sent; `unknown`: the device
 * never said what it can do.
 */
export type Staging = 'staged' | 'unchanged' | 'rejected_before' | 'wrong' | 'unknown';

/** A document that is to be wanted of a device. */
export interface Wanting {
  /** Its fingerprint. */
  sha: string;
  /** The compiler found nothing wrong. */
  maySend: boolean;
  /** Somebody means this very device. */
  askedFor: boolean;
  /** Somebody has read why the device refused it, and wants it tried once more. */
  insists: boolean;
  /** The device has said what it can do. */
  capable: boolean;
  firmware: string | null;
  now: Date;
}

/** What comes of it. */
export interface Wanted {
  staging: Staging;
  /** The device's state from now on; null: it stays. */
  next: ConfigState | null;
  /** The number of a new version; null: there is none. */
  uuid: number | null;
  /** Versions below this number that never left have been overtaken. */
  overtakes: number | null;
}

/**
 * Wants a document of a device. Equal documents send nothing; a document that the device has refused is not wanted again
 * until its firmware is another or somebody insists, one that it tried and took back only when somebody asks for it. `reasonsOf`: why the
 * device did not take the version that it rejected last.
 */
export function wanted(
  state: ConfigState,
  known: boolean,
  { sha, maySend, askedFor, insists, capable, firmware, now }: Wanting,
  reasonsOf: () => readonly string[],
): Wanted {
  const stays = (staging: Staging): Wanted => ({ staging, next: null, uuid: null, overtakes: null });
  if (!capable) return stays('unknown');
  if (!maySend) return stays('wrong');
  if (known && state.desired_sha === sha && state.state !== 'failed' && state.state !== 'drifted')
    return stays(state.state === 'in_sync' ? 'unchanged' : 'staged');
  if ((wasReturned(state, sha) && !askedFor) || (wouldBeRejected(state, sha, firmware) && !insists)) {
    const reasons = [...reasonsOf()];
    // what is under way goes on; the word for what is wanted comes when that is settled
    const word = state.sent_uuid === null ? 'failed' : 'applying';
    const next = { ...state, desired_uuid: state.rejected_uuid, desired_sha: sha, reasons, state: word } as const;
    return { ...stays('rejected_before'), next };
  }
  const calm = state.state === 'pending' || state.state === 'in_sync';
  if (state.active_sha === sha && state.sent_uuid === null && calm)
    return { ...stays('unchanged'), next: unstaged(state), overtakes: state.last_uuid + 1 };
  const uuid = nextConfigurationUuid(now.getTime() / 1000, state.last_uuid, state.reported_uuid ?? 0);
  if (uuid === null) return stays('wrong');
  // what was wanted before may never have left
  const overtakes = state.desired_uuid === state.active_uuid ? null : uuid;
  return { staging: 'staged', next: staged(state, { uuid, sha }), uuid, overtakes };
}
