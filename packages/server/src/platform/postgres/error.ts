/** A sentence for the operator; the start stops. */
export class PostgresError extends Error {}

export const remedyFor = 'Or set YUNXUN_DATABASE_URL to a PostgreSQL server (15 or newer) of your own.';
