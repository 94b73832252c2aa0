import type { Input } from '../../app/api.ts';

export type Days = Input<'/api/v3/security/token/create'>['days'];

/** Lifetimes offered; one that the contract does not allow does not compile. */
export const tokenDays = [7, 30, 90, 365] as const satisfies readonly Days[];
