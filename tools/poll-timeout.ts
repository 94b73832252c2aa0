/** Limit of a wait for a condition in tests, in milliseconds: the last resort on a machine that other work keeps busy. */
export const pollTimeoutMs = 30_000;
