import { nextConfigurationUuid } from '@yunxun/contract/device';
import { type ConfigState, staged, unstaged, wasReturned, wouldBeRejected } from './transitions.ts';

/**
 * `rejected_before`: by this firmware; `wrong`: must not be sent; `unknown`: no capabilities; `unreported`: awaits the
 * first report; `unconfirmed`: awaits a person.
 */
export type StageOutcome =
  | 'staged'
  | 'unchanged'
  | 'rejected_before'
  | 'wrong'
  | 'unknown'
  | 'unreported'
  | 'unconfirmed';

export interface StageInput {
  sha: string;
  maySend: boolean;
  askedFor: boolean;
  /** The user has seen the rejection. */
  insists: boolean;
  /** Repairs a device that confirmed this document before. */
  again: boolean;
  capable: boolean;
  firmware: string | null;
  now: Date;
}

export interface StageDecision {
  staging: StageOutcome;
  /** Null: unchanged. */
  next: ConfigState | null;
  /** Null: no new version. */
  uuid: number | null;
  /** Supersedes unsent versions below. */
  overtakes: number | null;
}

/**
 * Sends no equal document, except `again`. A refused one needs other firmware or `insists`, a rolled-back one `askedFor`.
 * `reasonsOf`: last rejection.
 */
export function decideStage(
  state: ConfigState,
  known: boolean,
  { sha, maySend, askedFor, insists, again, capable, firmware, now }: StageInput,
  reasonsOf: () => readonly string[],
): StageDecision {
  const stays = (staging: StageOutcome): StageDecision => ({ staging, next: null, uuid: null, overtakes: null });
  if (!capable) return stays('unknown');
  if (!maySend) return stays('wrong');
  const repeats = again && state.state === 'in_sync';
  if (known && state.desired_sha === sha && state.state !== 'failed' && state.state !== 'drifted' && !repeats)
    return stays(state.state === 'in_sync' ? 'unchanged' : 'staged');
  if ((wasReturned(state, sha) && !askedFor) || (wouldBeRejected(state, sha, firmware) && !insists)) {
    const reasons = [...reasonsOf()];
    const word = state.sent_uuid === null ? 'failed' : 'applying';
    const next = { ...state, desired_uuid: state.rejected_uuid, desired_sha: sha, reasons, state: word } as const;
    return { ...stays('rejected_before'), next };
  }
  const quiet = state.state === 'pending' || state.state === 'in_sync';
  if (state.active_sha === sha && state.sent_uuid === null && quiet && !repeats)
    return { ...stays('unchanged'), next: unstaged(state), overtakes: state.last_uuid + 1 };
  const uuid = nextConfigurationUuid(now.getTime() / 1000, state.last_uuid, state.reported_uuid ?? 0);
  if (uuid === null) return stays('wrong');
  // the former version may be unsent
  const overtakes = state.desired_uuid === state.active_uuid ? null : uuid;
  return { staging: 'staged', next: staged(state, { uuid, sha }), uuid, overtakes };
}
