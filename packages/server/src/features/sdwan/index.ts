import { type AnyEndpoint, sdwan, sdwanGroups, sdwanOrders } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route, type UserCall } from '../../platform/http/call.ts';
import type { ObjectResolver } from '../../platform/http/http-options.ts';
import type { Orders as BillingOrders, OwnOrders } from '../billing/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { accounts } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';
import { createConsoleAddresses } from './console-addresses.ts';
import { createSdwanExpiry } from './expiry.ts';
import { addressesIn, type FactsDeps } from './facts.ts';
import { createFollow } from './follow.ts';
import { createGatewayChange } from './gateway-change.ts';
import { createGroups } from './groups.ts';
import { createNetworks } from './networks.ts';
import { createOrders } from './orders.ts';
import { createOverview } from './overview.ts';
import { createPathTest, type PathTestDeps } from './path-test.ts';
import { listPathChanges } from './paths.ts';
import { createSdwanPush } from './push.ts';
import { sdwanSearch } from './search.ts';
import { sdwanTables } from './tables.ts';
import { createThroughput, type ThroughputDeps } from './throughput.ts';
import { createTunnelCheck, type TunnelCheckDeps } from './tunnel-check.ts';
import { createSdwanUnbind } from './unbind.ts';

export { sdwanAlarms } from './alarm-source.ts';
export { sdwanOf } from './store.ts';

export interface SdwanDeps {
  database: Database;
  clock: Clock;
  configuration: Pick<Configuration, 'pushWaves' | 'gateway' | 'gatewayParticipants'>;
  latestStates: FactsDeps['latestStates'];
  tools: PathTestDeps['tools'] & ThroughputDeps['tools'];
  billing: Pick<BillingOrders, 'kinds'>;
  ownOrders: OwnOrders;
  messages: Pick<Messages, 'post'>;
  jobs: TunnelCheckDeps['jobs'];
  publicUrl: string;
  deviceHost: string;
}

export function createSdwan(deps: SdwanDeps) {
  const {
    database,
    clock,
    configuration,
    latestStates,
    tools,
    billing,
    ownOrders,
    messages,
    jobs,
    publicUrl,
    deviceHost,
  } = deps;
  const facts: FactsDeps = {
    now: () => clock.now(),
    latestStates,
    consoles: createConsoleAddresses([...new Set([deviceHost, new URL(publicUrl).hostname])], clock),
    async addressesOf(tx, accountId, gwids) {
      const saved = await configuration.gateway.savedOf(tx, accountId, gwids);
      return new Map([...saved].map(([gwid, settings]) => [gwid, addressesIn(settings)]));
    },
  };
  const checkTunnels = createTunnelCheck({ database, clock, jobs, facts });
  const push = createSdwanPush({ clock, configuration, checkTunnels });
  const networks = createNetworks({ clock, configuration, facts, push });
  const overview = createOverview({ clock, facts, configuration, networks });
  const groups = createGroups({ clock, networks });
  const orders = createOrders({ clock, database, billing: ownOrders, publicUrl });
  billing.kinds.add(orders.kind);
  const follow = createFollow({ database, clock, networks, push });
  const { savedOf } = configuration.gateway;
  const gatewayChange = createGatewayChange({ database, savedOf, networks, push });
  configuration.gatewayParticipants.join(gatewayChange.participant);
  const paths = createPathTest({ networks, tools });
  const throughput = createThroughput({ networks, tools });

  /** Joins networks of the account: a limited scope would see the others. */
  const reading = (acting: Acting): string => {
    requireWholeAccount(acting, 'network.read');
    return acting.accountId;
  };
  const writing = (acting: Acting): Acting => {
    requireWholeAccount(acting, 'network.write');
    return acting;
  };
  const buying = (acting: Acting): Acting => {
    requireWholeAccount(acting);
    return acting;
  };

  return {
    routes: (): Route[] =>
      onlyOpened([
        ...implement(sdwan, {
          status: ({ tx, acting }) => overview.status(tx, reading(acting)),
          networkList: ({ tx, acting, input }) => overview.list(tx, reading(acting), input),
          networkDetail: ({ tx, acting, input }) => overview.detail(tx, reading(acting), input.id),
          networkCreate: ({ tx, acting, input }) => networks.create(tx, writing(acting), input),
          networkUpdate: ({ tx, acting, input }) => networks.update(tx, writing(acting), input),
          networkDelete: ({ tx, acting, input }) => networks.delete(tx, writing(acting), input.id),
          networkDeploy: ({ tx, acting, input }) => networks.deploy(tx, writing(acting), input.id),
          candidateList: ({ tx, acting, input }) => overview.candidates(tx, reading(acting), input),
          check: ({ tx, acting, input }) => networks.check(tx, reading(acting), input),
          memberAdd: ({ tx, acting, input }) => networks.add(tx, writing(acting), input),
          memberRemove: ({ tx, acting, input }) => networks.remove(tx, writing(acting), input),
          pathChangeList: ({ tx, acting, input }) => listPathChanges(tx, reading(acting), input, facts),
          pathTest: ({ tx, acting, input }) => paths.start(tx, writing(acting), input),
          throughputTest: ({ tx, acting, input }) => throughput.start(tx, writing(acting), input),
          pathTestResult: ({ tx, acting, input }) => paths.result(tx, reading(acting), input),
        }),
        ...implement(sdwanGroups, {
          groupList: ({ tx, acting, input }) => groups.list(tx, reading(acting), input),
          groupOf: ({ tx, acting, input }) => groups.detail(tx, reading(acting), input.id),
          groupCreate: ({ tx, acting, input }) => groups.create(tx, writing(acting), input),
          groupUpdate: ({ tx, acting, input }) => groups.update(tx, writing(acting), input),
          groupDelete: async ({ tx, acting, input }) => {
            await groups.remove(tx, writing(acting), input.id);
            return {};
          },
          strategyList: ({ tx, acting, input }) => groups.strategies(tx, reading(acting), input),
          strategyCreate: ({ tx, acting, input }) => groups.createStrategy(tx, writing(acting), input),
          strategyUpdate: ({ tx, acting, input }) => groups.updateStrategy(tx, writing(acting), input),
          strategyDelete: async ({ tx, acting, input }) => {
            await groups.removeStrategy(tx, writing(acting), input.id);
            return {};
          },
        }),
        ...implement(sdwanOrders, {
          packageList: ({ tx, acting }) => orders.packages(tx, reading(acting)),
          packageSave: async ({ tx, acting, input }) => {
            await orders.savePackages(tx, acting, input);
            return {};
          },
          orderList: ({ tx, acting, input }) => orders.list(tx, reading(acting), input),
          orderDetail: ({ tx, acting, input }) => orders.detail(tx, reading(acting), input.order_no),
          orderCreate: ({ tx, acting, input }) => orders.create(tx, buying(acting), input),
          orderPay: ({ tx, acting, input }) => orders.pay(tx, buying(acting), input),
          orderCancel: async ({ tx, acting, input }) => {
            await orders.cancel(tx, buying(acting), input.order_no);
            return {};
          },
        }),
      ]),
    unbind: createSdwanUnbind({ clock, push }),
    joinHandlers: follow.joinHandlers,
    tasks: {
      'sdwan-expiry': createSdwanExpiry({ database, clock, push, messages }),
      ...follow.tasks,
      ...gatewayChange.tasks,
    },
    schedules: [{ task: 'sdwan-expiry', cron: '11 * * * *' }],
    search: sdwanSearch,
    objects: {
      sdwan_network: (tx, ids) => known(tx, 'sdwan_network', ids),
      sdwan_group: (tx, ids) => known(tx, 'sdwan_group', ids),
      sdwan_strategy: (tx, ids) => known(tx, 'sdwan_strategy', ids),
    } satisfies Record<string, ObjectResolver>,
  };
}

/** Refuses accounts without `sdwan_status`. @throws Failure noPermission */
function onlyOpened(routes: readonly Route[]): Route[] {
  return routes.map(({ endpoint, handle }) => ({
    endpoint,
    async handle(call) {
      const { tx, acting } = call as UserCall<AnyEndpoint>;
      if (!(await accounts.accountOf(tx, acting.accountId)).sdwan_status)
        throw new Failure('noPermission', { data: { permission: endpoint.permission, reason: 'sdwan_status' } });
      return handle(call);
    },
  }));
}

/** Checks in the transaction's scope. */
async function known(
  tx: Tx,
  table: 'sdwan_network' | 'sdwan_group' | 'sdwan_strategy',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sdwanTables(tx).selectFrom(table).select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
