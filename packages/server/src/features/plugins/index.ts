import { plugins as contract } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { implement, type Route } from '../../platform/http/call.ts';
import type { HttpOptions } from '../../platform/http/http-options.ts';
import { createMarket, type MarketDeps } from './market.ts';
import { createPublishers } from './publishers.ts';
import { type RunnerDeps, registerPluginJob } from './runner.ts';
import { mountPackages } from './serve.ts';
import { createPluginWatch } from './watch.ts';

export type PluginsDeps = RunnerDeps & MarketDeps;

export function createPlugins(deps: PluginsDeps) {
  const { database } = deps;
  const publishers = createPublishers(deps);
  const market = createMarket(deps);
  const watch = createPluginWatch(deps);
  registerPluginJob(deps);
  return {
    routes: (): Route[] =>
      implement(contract, {
        list: ({ tx, acting, input }) => market.list(tx, acting, input),
        detail: ({ tx, acting, input }) => market.detail(tx, acting, input.id),
        install: ({ tx, acting, input }) => market.install(tx, acting, input),
        remove: ({ tx, acting, input }) => market.remove(tx, acting, input),
        log: ({ tx, acting, input }) => market.log(tx, acting, input),
        publishers: () => publishers.list(),
        async trust({ acting, input }) {
          await publishers.trust(acting, input);
          return {};
        },
        async distrust({ acting, input }) {
          await publishers.distrust(acting, input.key);
          return {};
        },
        importCatalogue: ({ acting, input }) => publishers.importCatalogue(acting, input),
      }),
    mount: (app: FastifyInstance, { limitFactor }: HttpOptions) => mountPackages(app, { database, limitFactor }),
    tasks: { 'plugins-watch': () => watch.run(), 'plugins-prune': () => watch.prune() },
    schedules: [
      { task: 'plugins-watch', cron: '* * * * *', exclusive: true as const },
      { task: 'plugins-prune', cron: '19 * * * *' },
    ],
  };
}
