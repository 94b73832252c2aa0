import { Failure } from '../../../platform/failure.ts';

export const guestOffline = () => new Failure('changedMeanwhile', { params: { kind: 'guest_offline' } });
