import { describe, expect, it } from 'vitest';
import {
  applied,
  type ConfigState,
  failed,
  notSent,
  rejected,
  reported,
  returned,
  sending,
  staged,
  trying,
  unmanaged,
  unstaged,
  wasReturned,
  wouldBeRejected,
} from './transitions.ts';

const at = new Date('2026-11-20T12:00:00Z');
const out = (state: ConfigState, uuid: number, sha: string) =>
  sending(state, { uuid, sha, at, holder: 'job.0', until: at });
const sentState = (uuid: number, sha: string, state = unmanaged) => staged(state, { uuid, sha });
const pushed = (uuid: number, sha: string, state = unmanaged) => out(sentState(uuid, sha, state), uuid, sha);
const running = (uuid: number, sha: string) => applied(pushed(uuid, sha), uuid, sha, []);

describe('a push', () => {
  it('is pending, applying, and in sync on the word of the device', () => {
    expect(sentState(10, 'a')).toMatchObject({ state: 'pending', desired_uuid: 10, last_uuid: 10 });
    expect(pushed(10, 'a')).toMatchObject({ state: 'applying', sent_uuid: 10, attempts: 1, holder: 'job.0' });
    const done = applied(pushed(10, 'a'), 10, 'a', ['[W] half']);
    expect(done).toMatchObject({
      state: 'in_sync',
      active_uuid: 10,
      active_sha: 'a',
      sent_uuid: null,
      holder: null,
      attempts: 0,
    });
    expect(done.reasons).toEqual(['[W] half']);
  });

  it('that never left is pending again, as if it had not been tried', () => {
    expect(notSent(pushed(10, 'a'))).toMatchObject({ state: 'pending', sent_uuid: null, attempts: 0 });
  });

  it('that was tried and taken back is refused, by the number that is under way only', () => {
    const under = pushed(20, 'b', running(10, 'a'));
    expect(returned(under, { uuid: 19, reason: 'an old story', at }, 'fw1')).toBe(under);
    expect(returned(under, { uuid: 20, reason: 'the console was not reached', at }, 'fw1')).toMatchObject({
      state: 'failed',
      active_uuid: 10,
      rejected_uuid: 20,
      sent_uuid: null,
      reasons: ['the console was not reached'],
    });
    const settled = running(10, 'a');
    expect(returned(settled, { uuid: 10, reason: 'late', at }, 'fw1')).toBe(settled);
  });

  it('that a gateway tries out has an end, which stays when it returned and goes with the next push', () => {
    const until = new Date(+at + 60_000);
    const under = pushed(20, 'b', running(10, 'a'));
    expect(trying(under, 19, until)).toBe(under);
    const tried = trying(under, 20, until);
    expect(tried).toMatchObject({ state: 'applying', trial_until: until });
    expect(applied(tried, 20, 'b', [])).toMatchObject({ state: 'in_sync', trial_until: null });
    expect(failed(tried, 'job.not_applied')).toMatchObject({ state: 'failed', trial_until: null });
    const back = returned(tried, { uuid: 20, reason: 'not reached', at }, 'fw1');
    expect(back).toMatchObject({ state: 'failed', trial_until: until, reasons: ['not reached'] });
    expect(returned(under, { uuid: 20, reason: 'the agent ended', at }, 'fw1')).toMatchObject({ trial_until: at });
    expect(pushed(30, 'c', back)).toMatchObject({ state: 'applying', trial_until: null });
    expect(rejected(under, ['no such port'], 'fw1')).toMatchObject({ state: 'failed', trial_until: null });
  });

  it('that was tried and taken back may be tried again, that was refused may not', () => {
    const under = pushed(20, 'b', running(10, 'a'));
    const back = returned(under, { uuid: 20, reason: 'not reached', at: new Date() }, 'fw1');
    expect([wouldBeRejected(back, 'b', 'fw1'), wasReturned(back, 'b'), wasReturned(back, 'a')]).toEqual([
      false,
      true,
      false,
    ]);
    const refused = rejected(under, ['no such port'], null);
    expect([wouldBeRejected(refused, 'b', null), wasReturned(refused, 'b')]).toEqual([true, false]);
  });

  it('that is refused leaves the last good one, with the reasons', () => {
    const refused = rejected(pushed(20, 'b', running(10, 'a')), ['no such band'], 'fw1');
    expect(refused).toMatchObject({ state: 'failed', active_uuid: 10, rejected_uuid: 20, reasons: ['no such band'] });
    expect(wouldBeRejected(refused, 'b', 'fw1')).toBe(true);
    expect(wouldBeRejected(refused, 'b', 'fw2')).toBe(false);
    expect(wouldBeRejected(refused, 'a', 'fw1')).toBe(false);
  });

  it('of an older document does not settle the wanted one', () => {
    const newer = sentState(20, 'b', pushed(10, 'a'));
    expect(newer).toMatchObject({ state: 'applying', sent_uuid: 10, desired_uuid: 20 });
    expect(applied(newer, 10, 'a', ['[W] old'])).toMatchObject({
      state: 'pending',
      active_uuid: 10,
      desired_uuid: 20,
      reasons: [],
    });
    expect(rejected(newer, ['old'], null)).toMatchObject({ state: 'pending', rejected_uuid: 10, reasons: [] });
    expect(failed(newer, 'job.silent')).toMatchObject({ state: 'pending', reasons: [] });
  });

  it('that is not needed any more is in sync with what runs', () => {
    expect(unstaged(sentState(20, 'b', running(10, 'a')))).toMatchObject({
      state: 'in_sync',
      desired_uuid: 10,
      desired_sha: 'a',
    });
  });
});

describe('what a device says that it runs', () => {
  it('settles a push whose answer was lost', () => {
    const { state, after } = reported(pushed(10, 'a'), 10);
    expect(after).toBe('applied');
    expect(state).toMatchObject({ state: 'in_sync', active_uuid: 10 });
  });

  it('leaves a push under way when it is still the old one', () => {
    const { state, after } = reported(pushed(20, 'b', running(10, 'a')), 10);
    expect([after, state.state, state.sent_uuid]).toEqual(['nothing', 'applying', 20]);
  });

  it('is drift when it is another than the active one, until it is that again', () => {
    const { state, after } = reported(running(10, 'a'), 99);
    expect([after, state.state, state.reported_uuid]).toEqual(['drifted', 'drifted', 99]);
    expect(reported(state, 10).state.state).toBe('in_sync');
    expect(reported(running(10, 'a'), 10)).toMatchObject({ after: 'nothing', state: { state: 'in_sync' } });
  });

  it('settles a document that was refused, when the device took it at a later start', () => {
    const refused = rejected(pushed(20, 'b', running(10, 'a')), ['no'], 'fw1');
    expect(reported(refused, 10).state.state).toBe('failed');
    expect(reported(refused, 20)).toMatchObject({ after: 'applied', state: { state: 'in_sync', active_uuid: 20 } });
  });

  it('settles one that was given up', () => {
    const silent = failed(pushed(20, 'b', running(10, 'a')), 'job.silent');
    expect(silent.state).toBe('failed');
    expect(reported(silent, 20)).toMatchObject({ after: 'applied', state: { state: 'in_sync' } });
  });

  it('brings a reset device its configuration, and a recovery boot nothing', () => {
    expect(reported(running(10, 'a'), 1)).toMatchObject({
      after: 'push',
      state: { state: 'pending', active_uuid: null, desired_sha: null },
    });
    expect(reported(running(10, 'a'), 0)).toMatchObject({
      after: 'nothing',
      state: { state: 'in_sync', active_uuid: 10 },
    });
  });

  it('says nothing about a device that was never configured', () => {
    expect(reported(sentState(10, 'a'), 1)).toMatchObject({
      after: 'nothing',
      state: { state: 'pending', desired_uuid: 10 },
    });
  });
});
