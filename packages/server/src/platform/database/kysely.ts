import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, TransactionBuilder } from 'kysely';
import pg from 'pg';

export function kyselyOn(pool: pg.Pool): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}

/** Uses one connection, which stays the caller's. */
export function kyselyOnClient(client: pg.Client): Kysely<unknown> {
  const connection = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined };
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) });
}

const run = (connection: DatabaseConnection, text: string) => connection.executeQuery(CompiledQuery.raw(text));
const unused = () => Promise.reject(new Error('the executor has the connection'));

/** Begins a transaction with local settings by one message. */
export function beginWith(
  db: Kysely<unknown>,
  settings: Readonly<Record<string, string>>,
): Pick<TransactionBuilder<unknown>, 'execute'> {
  const values = Object.entries(settings).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
  );
  const dialect = new PostgresDialect({ pool: unused });
  return new TransactionBuilder<unknown>({
    dialect,
    config: { dialect },
    executor: db.getExecutor(),
    driver: {
      init: unused,
      destroy: unused,
      acquireConnection: unused,
      releaseConnection: unused,
      async beginTransaction(connection) {
        try {
          await run(connection, `begin; select ${values.join(', ')}`);
        } catch (error) {
          await run(connection, 'rollback').catch(() => undefined);
          throw error;
        }
      },
      commitTransaction: async (connection) => void (await run(connection, 'commit')),
      rollbackTransaction: async (connection) => void (await run(connection, 'rollback')),
    },
  });
}
