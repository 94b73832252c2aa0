import type { plugins as contract, DataOf, InputOf } from '@yunxun/contract';
import { readPluginKey } from '@yunxun/contract/plugin-package';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { PrivateAddress } from '../../platform/outgoing/address.ts';
import { getOutgoing } from '../../platform/outgoing/get.ts';
import { theInstallation } from '../installation/index.ts';
import { record } from '../logs/index.ts';
import { type Catalogue, catalogueLimits, readCatalogueFile, verifyCatalogue } from './catalogue.ts';
import { pluginTables } from './tables.ts';

/** Milliseconds for a catalogue from an https address. */
const fetchMs = 60_000;

/** Trusted publishers and imported catalogues. */
export function createPublishers({ database, clock }: { database: Database; clock: Clock }) {
  async function bytesOf({ file, uri }: InputOf<typeof contract.importCatalogue>) {
    if (file !== undefined) return { field: 'file', bytes: Buffer.from(file, 'base64') };
    if (uri === undefined || !URL.canParse(uri) || new URL(uri).protocol !== 'https:')
      return invalid(uri === undefined ? 'file' : 'uri', 'validation.pluginSource');
    try {
      const limits = { maxBytes: catalogueLimits.bytes, timeoutMs: fetchMs, privateAddresses: false };
      return { field: 'uri', bytes: await getOutgoing({ url: uri, ...limits }) };
    } catch (error) {
      const why = error instanceof PrivateAddress ? 'private address' : (error as Error).message;
      return invalid('uri', 'validation.pluginDownload', { why });
    }
  }

  async function keep(tx: Tx, { publisher, plugins }: Catalogue, field: string): Promise<void> {
    for (const { entry, packages } of plugins) {
      const before = await pluginTables(tx)
        .selectFrom('plugin')
        .select('publisher_key')
        .where('id', '=', entry.id)
        .executeTakeFirst();
      if (before && before.publisher_key !== publisher.key)
        invalid(field, 'validation.pluginForeign', { name: entry.id });
      const values = { entry: JSON.stringify(entry), imported_at: clock.now() };
      await pluginTables(tx)
        .insertInto('plugin')
        .values({ id: entry.id, publisher_key: publisher.key, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute();
      for (const one of packages) {
        const { rows } = await sql`
          insert into plugin_package values (${one.plugin_id}, ${one.version}, ${one.arch}, ${one.min_agent}, ${one.size},
            ${one.sha256}, ${one.signature}, ${one.bytes})
          on conflict (plugin_id, version, arch) do update set min_agent = excluded.min_agent
            where plugin_package.sha256 = excluded.sha256
          returning version`.execute(tx);
        // gateways with this version would keep other content
        if (rows.length === 0) invalid(field, 'validation.pluginChanged', { name: `${one.plugin_id} ${one.version}` });
      }
    }
  }

  return {
    list: (): Promise<DataOf<typeof contract.publishers>> =>
      database.withSystem(async (tx) => {
        const rows = await pluginTables(tx).selectFrom('plugin_publisher').selectAll().orderBy('name').execute();
        const plugins = await pluginTables(tx).selectFrom('plugin').select(['id', 'publisher_key']).execute();
        const list = rows.map(({ trusted_at, ...row }) => ({
          ...row,
          trusted_at: trusted_at.toISOString(),
          plugins: plugins.flatMap(({ id, publisher_key }) => (publisher_key === row.key ? id : [])),
        }));
        return { list };
      }),

    /** @throws Invalid; Failure nameExists */
    trust: (acting: Acting, { name, key }: InputOf<typeof contract.trust>): Promise<void> =>
      database.withSystem(async (tx) => {
        if (readPluginKey(key) === null) invalid('key', 'validation.pluginKey');
        const { numInsertedOrUpdatedRows } = await pluginTables(tx)
          .insertInto('plugin_publisher')
          .values({ key, name, trusted_by: acting.actor?.name ?? acting.source, trusted_at: clock.now() })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) invalid('key', 'validation.duplicate');
        await record(tx, acting, {
          action: 'installation.plugin_trust',
          object: theInstallation,
          after: { name, key },
        });
      }),

    /** @throws Failure notFound, inUse */
    distrust: (acting: Acting, key: string): Promise<void> =>
      database.withSystem(async (tx) => {
        const used = await pluginTables(tx)
          .selectFrom('plugin_install')
          .innerJoin('plugin', 'plugin.id', 'plugin_install.plugin_id')
          .select('plugin.id')
          .where('publisher_key', '=', key)
          .limit(1)
          .execute();
        if (used.length > 0) throw new Failure('inUse', { params: { kind: 'plugin' } });
        const gone = await pluginTables(tx)
          .deleteFrom('plugin_publisher')
          .where('key', '=', key)
          .returning('name')
          .executeTakeFirst();
        if (!gone) throw new Failure('notFound');
        await record(tx, acting, {
          action: 'installation.plugin_distrust',
          object: theInstallation,
          before: { name: gone.name, key },
        });
      }),

    /** @throws Invalid with the reason at `file` or `uri` */
    async importCatalogue(
      acting: Acting,
      input: InputOf<typeof contract.importCatalogue>,
    ): Promise<DataOf<typeof contract.importCatalogue>> {
      const { field, bytes } = await bytesOf(input);
      const read = readCatalogueFile(bytes, field);
      const { publisher } = read.index;
      return database.withSystem(async (tx) => {
        const trusted = await pluginTables(tx)
          .selectFrom('plugin_publisher')
          .select('key')
          .where('key', '=', publisher.key)
          .forUpdate()
          .executeTakeFirst();
        if (!trusted) invalid(field, 'validation.pluginUntrusted', { name: publisher.name });
        const plugins = verifyCatalogue(read, field);
        await keep(tx, { publisher, plugins }, field);
        const packages = plugins.reduce((sum, one) => sum + one.packages.length, 0);
        await record(tx, acting, {
          action: 'installation.plugin_import',
          object: theInstallation,
          after: { publisher: publisher.name, plugins: plugins.map(({ entry }) => entry.id), uri: input.uri ?? null },
        });
        return { plugins: plugins.length, packages };
      });
    },
  };
}
