import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { tokenHash } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { findInstall, setInstall } from './store.ts';
import { pluginTables } from './tables.ts';

interface Address {
  account: string;
  serial: string;
  id: string;
  version: string;
  arch: string;
  token: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Serves a package once; the token authenticates. */
export function mountPackages(app: FastifyInstance, deps: { database: Database; limitFactor: number }): void {
  app.get<{ Params: Address }>('/plugins/:account/:serial/:id/:version/:arch/:token', {
    config: { rateLimit: { max: 600 * deps.limitFactor, timeWindow: 60_000 } },
    handler: async (request, reply) => {
      const bytes = await taken(deps.database, request.params);
      if (!bytes) return reply.status(404).type('text/plain').send('no such package\n');
      return reply.type('application/octet-stream').header('cache-control', 'no-store').send(bytes);
    },
  });
}

async function taken(database: Database, { account, serial, id, version, arch, token }: Address) {
  if (!uuid.test(account)) return null;
  const key = { account_id: account, serial, plugin_id: id };
  return database.withSystem(async (tx) => {
    const install = await findInstall(tx, key);
    if (!install?.token || install.version !== version || !timingSafeEqual(install.token, tokenHash(token)))
      return null;
    await setInstall(tx, key, { token: null });
    const found = await pluginTables(tx)
      .selectFrom('plugin_package')
      .select('bytes')
      .where('plugin_id', '=', id)
      .where('version', '=', version)
      .where('arch', '=', arch as 'all')
      .executeTakeFirst();
    return found?.bytes ?? null;
  });
}
