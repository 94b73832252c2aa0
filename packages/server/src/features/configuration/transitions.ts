import type { SyncState } from '@yunxun/contract';
import { recoveryUuid, unconfiguredUuid } from '@yunxun/contract/device';
import type { ConfigStateTable } from './tables.ts';

export type ConfigState = Omit<ConfigStateTable, 'account_id' | 'serial' | 'changed_at'>;

export const unmanaged: ConfigState = {
  state: 'pending',
  desired_uuid: null,
  desired_sha: null,
  active_uuid: null,
  active_sha: null,
  sent_uuid: null,
  sent_sha: null,
  sent_at: null,
  attempts: 0,
  holder: null,
  held_until: null,
  rejected_uuid: null,
  rejected_sha: null,
  rejected_firmware: null,
  rejection: null,
  reasons: [],
  reported_uuid: null,
  trial_until: null,
  last_uuid: 1,
};

const settled = {
  sent_uuid: null,
  sent_sha: null,
  sent_at: null,
  holder: null,
  held_until: null,
  trial_until: null,
} as const;

function wordOf({ desired_uuid: desired, active_uuid: active, rejected_uuid: rejected }: ConfigState): SyncState {
  if (desired === null) return 'pending';
  if (desired === active) return 'in_sync';
  // rejected before, wanted again during another push
  return desired === rejected ? 'failed' : 'pending';
}

/** Keeps an active push, which its own uuid settles. */
export function staged(state: ConfigState, desired: { uuid: number; sha: string }): ConfigState {
  return {
    ...state,
    desired_uuid: desired.uuid,
    desired_sha: desired.sha,
    last_uuid: Math.max(state.last_uuid, desired.uuid),
    attempts: 0,
    reasons: [],
    trial_until: state.sent_uuid === null ? null : state.trial_until,
    state: state.sent_uuid === null ? 'pending' : 'applying',
  };
}

export function unstaged(state: ConfigState): ConfigState {
  return {
    ...state,
    desired_uuid: state.active_uuid,
    desired_sha: state.active_sha,
    attempts: 0,
    reasons: [],
    trial_until: null,
    state: 'in_sync',
  };
}

export function sending(
  state: ConfigState,
  push: { uuid: number; sha: string; at: Date; holder: string; until: Date },
): ConfigState {
  return {
    ...state,
    desired_uuid: push.uuid,
    last_uuid: Math.max(state.last_uuid, push.uuid),
    sent_uuid: push.uuid,
    sent_sha: push.sha,
    sent_at: push.at,
    trial_until: null,
    holder: push.holder,
    held_until: push.until,
    attempts: state.attempts + 1,
    state: 'applying',
  };
}

export function notSent(state: ConfigState): ConfigState {
  const before = { ...state, ...settled, attempts: Math.max(0, state.attempts - 1) };
  return { ...before, state: wordOf(before) };
}

/** `reasons`: fields that the device left out. */
export function applied(state: ConfigState, uuid: number, sha: string, reasons: readonly string[]): ConfigState {
  const wanted = state.desired_uuid === uuid;
  const next = {
    ...state,
    ...(state.sent_uuid === null || state.sent_uuid <= uuid ? settled : {}),
    active_uuid: uuid,
    active_sha: sha,
    reported_uuid: uuid,
    attempts: wanted ? 0 : state.attempts,
    reasons: wanted ? [...reasons] : state.reasons,
  };
  return { ...next, state: wordOf(next) };
}

/** Starts commit-confirm: the gateway rolls back at `until` unless it reaches the console. */
export function trying(state: ConfigState, uuid: number, until: Date): ConfigState {
  return uuid === state.sent_uuid ? { ...state, trial_until: until } : state;
}

/** Keeps the active document. A rolled-back one may work later: the console may have been unreachable. */
export function rejected(state: ConfigState, reasons: readonly string[], firmware: string | null): ConfigState {
  const wanted = state.desired_uuid === state.sent_uuid;
  const next: ConfigState = {
    ...state,
    ...settled,
    rejected_uuid: state.sent_uuid,
    rejected_sha: state.sent_sha,
    rejected_firmware: firmware,
    rejection: state.trial_until === null ? 'refused' : 'returned',
    trial_until: wanted ? state.trial_until : null,
    attempts: 0,
    reasons: wanted ? [...reasons] : state.reasons,
  };
  return { ...next, state: wanted ? 'failed' : wordOf({ ...next, rejected_uuid: state.rejected_uuid }) };
}

/** Ignores uuids other than the push's. */
export function returned(
  state: ConfigState,
  reported: { uuid: number; reason: string; at: Date },
  firmware: string | null,
): ConfigState {
  if (reported.uuid !== state.sent_uuid) return state;
  return rejected({ ...state, trial_until: state.trial_until ?? reported.at }, [reported.reason], firmware);
}

/** Ends a failed or ignored push. */
export function failed(state: ConfigState, reason: string): ConfigState {
  const wanted = state.sent_uuid === null || state.desired_uuid === state.sent_uuid;
  const next = { ...state, ...settled, attempts: 0, reasons: wanted ? [reason] : state.reasons };
  return { ...next, state: wanted ? 'failed' : wordOf(next) };
}

export type AfterReport = 'nothing' | 'applied' | 'drifted' | 'push';

/**
 * Applies a reported uuid (connect, state, healthcheck). The sent one settles a lost answer; another than the active
 * one is drift; an unconfigured device was reset and gets its configuration again.
 */
export function reported(state: ConfigState, uuid: number): { state: ConfigState; after: AfterReport } {
  if (uuid === recoveryUuid) return { state: { ...state, reported_uuid: uuid }, after: 'nothing' };
  if (uuid === state.sent_uuid && state.sent_sha !== null)
    return { state: applied(state, uuid, state.sent_sha, []), after: 'applied' };
  if (uuid === state.desired_uuid && state.desired_sha !== null && uuid !== state.active_uuid) {
    return { state: applied(state, uuid, state.desired_sha, []), after: 'applied' };
  }
  // clients retry refused documents at start
  if (uuid === state.rejected_uuid && state.rejected_sha !== null && uuid !== state.active_uuid) {
    return { state: applied(state, uuid, state.rejected_sha, []), after: 'applied' };
  }
  const next = { ...state, reported_uuid: uuid };
  if (state.sent_uuid !== null) return { state: next, after: 'nothing' };
  if (uuid === state.active_uuid) {
    return { state: { ...next, state: state.state === 'drifted' ? wordOf(next) : state.state }, after: 'nothing' };
  }
  if (state.active_uuid === null || state.state === 'failed') return { state: next, after: 'nothing' };
  if (uuid === unconfiguredUuid) {
    // must be staged anew
    const gone = { desired_uuid: null, desired_sha: null, active_uuid: null, active_sha: null };
    return { state: { ...next, ...gone, state: 'pending' }, after: 'push' };
  }
  return state.state === 'in_sync'
    ? { state: { ...next, state: 'drifted' }, after: 'drifted' }
    : { state: next, after: 'nothing' };
}

export function wouldBeRejected(state: ConfigState, sha: string | null, firmware: string | null): boolean {
  const refused = sha !== null && state.rejected_sha === sha && state.rejection === 'refused';
  return refused && state.rejected_firmware === firmware;
}

/** Returns whether to resend only on request. */
export function wasReturned(state: ConfigState, sha: string | null): boolean {
  return sha !== null && state.rejected_sha === sha && state.rejection === 'returned';
}
