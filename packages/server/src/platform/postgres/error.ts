/** Why the embedded PostgreSQL cannot be had; the message is the sentence the operator reads, and the start stops. */
export class PostgresError extends Error {}

/** The way out that every such sentence ends with. */
export const instead = 'Or set YUNXUN_DATABASE_URL to a PostgreSQL server (15 or newer) of your own.';
