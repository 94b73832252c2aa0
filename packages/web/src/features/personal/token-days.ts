import type { Input } from '../../app/api.ts';

/** Days an API token may live. */
export type Days = Input<'/api/v3/security/token/create'>['days'];

/** The same, to choose from; one that the contract does not know does not compile. */
export const tokenDays = [7, 30, 90, 365] as const satisfies readonly Days[];
