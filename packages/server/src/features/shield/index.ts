import { shield as contract } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { HttpOptions, ObjectResolver } from '../../platform/http/http-options.ts';
import { createAllow } from './allow.ts';
import { createBriefing } from './briefing.ts';
import { type ComposerDeps, createComposer } from './compose.ts';
import { type CollectorDeps, createCollector } from './counts.ts';
import { createLists, type ListDeps } from './lists.ts';
import { createSettings } from './settings.ts';
import { shieldTables } from './tables.ts';

export { interceptedOf } from './briefing.ts';
export { shieldOf } from './compose.ts';

export type ShieldDeps = ComposerDeps & CollectorDeps & Omit<ListDeps, 'composer'>;

export function createShield(deps: ShieldDeps) {
  const composer = createComposer(deps);
  const settings = createSettings({ ...deps, composer });
  const allow = createAllow({ ...deps, composer });
  const lists = createLists({ ...deps, composer });
  const collector = createCollector(deps);
  const briefing = createBriefing(deps);
  /** Whitelist and own list act in all networks. */
  const whole = (acting: Acting): Acting => {
    requireWholeAccount(acting, 'config.write');
    return acting;
  };
  return {
    routes: (): Route[] =>
      implement(contract, {
        settingList: ({ tx, acting, input }) => settings.list(tx, acting.accountId, input),
        settingSave: ({ tx, acting, input }) => settings.save(tx, acting, input),
        allowList: ({ tx, acting, input }) => allow.list(tx, acting.accountId, input),
        allowCreate: ({ tx, acting, input }) => allow.create(tx, whole(acting), input),
        allowUpdate: ({ tx, acting, input }) => allow.update(tx, whole(acting), input),
        allowDelete: ({ tx, acting, input }) => allow.remove(tx, whole(acting), input.ids),
        ownDetail: ({ tx, acting }) => allow.own(tx, acting.accountId),
        ownSave: ({ tx, acting, input }) => allow.saveOwn(tx, whole(acting), input),
        listList: () => lists.list(),
        listCreate: ({ tx, acting, input }) => lists.create(tx, acting, input),
        async listRefresh({ tx, acting, input }) {
          await lists.refresh(tx, acting, input.id);
          return {};
        },
        async listDelete({ tx, acting, input }) {
          await lists.remove(tx, acting, input.id);
          return {};
        },
        briefing: ({ tx, acting, input }) => briefing(tx, acting.accountId, input),
      }),
    mount: (app: FastifyInstance, { limitFactor }: HttpOptions) => lists.mount(app, limitFactor),
    objects: { shield_allow: knownAllows, shield_list: lists.known } satisfies Record<string, ObjectResolver>,
    tasks: {
      'shield-lists': lists.check,
      'shield-spread': lists.spread,
      'shield-counts': () => collector.run(),
      'shield-prune': () => collector.prune(),
    },
    schedules: [
      { task: 'shield-lists', cron: '19 * * * *' },
      { task: 'shield-counts', cron: '* * * * *', exclusive: true as const },
      { task: 'shield-prune', cron: '53 * * * *' },
    ],
  };
}

/** Checks in the transaction's scope. */
async function knownAllows(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await shieldTables(tx).selectFrom('shield_allow').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
