import { plugins as contract } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import { readLatestStates } from '../../telemetry/index.ts';
import { readStates } from './runner.ts';
import { noteEvent, setInstall } from './store.ts';
import { type Install, pluginTables } from './tables.ts';

/** Compares reports of gateways with the rows, and logs what changed. */
export function createPluginWatch({ database, clock }: { database: Database; clock: Clock }) {
  async function follow(tx: Tx, install: Install, at: Date, value: unknown): Promise<void> {
    const states = readStates(value);
    // older than the last command, or of an agent without plugins
    if (states === null || at <= install.changed_at) return;
    const found = states.find(({ id }) => id === install.plugin_id);
    const { state, reason, log, version } = found ?? {
      state: 'failed' as const,
      reason: 'missing' as const,
      log: [],
      version: null,
    };
    const change = { reported_version: version, state, reason, log: [...log] };
    await setInstall(tx, install, change);
    if (state === install.state && reason === install.reason) return;
    await noteEvent(tx, install, { at, version: install.version, event: state, reason });
  }

  return {
    async run(): Promise<void> {
      const installs = await database.withSystem((tx) =>
        pluginTables(tx)
          .selectFrom('plugin_install')
          .selectAll()
          .where('state', '<>', 'pending')
          .where('desired', '=', 'present')
          .execute(),
      );
      for (const [accountId, own] of grouped(installs, (one) => one.account_id))
        await database.withSystem(async (tx) => {
          const reports = await readLatestStates(tx, accountId, [...new Set(own.map(({ serial }) => serial))]);
          for (const install of own) {
            const report = reports.get(install.serial);
            const { yunxun } = asRecord<{ yunxun: unknown }>(report?.params.state);
            if (report) await follow(tx, install, report.at, asRecord<{ plugins: unknown }>(yunxun).plugins);
          }
        });
    },

    async prune(): Promise<void> {
      const before = new Date(clock.now().getTime() - contract.pluginBounds.eventDays * 86_400_000);
      await database.withSystem((tx) => pluginTables(tx).deleteFrom('plugin_event').where('at', '<', before).execute());
    },
  };
}
