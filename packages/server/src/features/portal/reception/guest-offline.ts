import { Failure } from '../../../platform/failure.ts';

/** Another person, the guest or the clock ended the session meanwhile. */
export const guestOffline = () => new Failure('changedMeanwhile', { params: { kind: 'guest_offline' } });
