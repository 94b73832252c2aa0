import type { AddressInfo } from 'node:net';
import { portal as contract, portalPrivacy, portalReception, portalSessions } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import type { Bus } from '../../platform/bus/index.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/database/index.ts';
import { createGuessSlots } from '../../platform/guesses/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { listenError } from '../../platform/listen.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { type ResolveHost, resolveHost } from '../../platform/outgoing/resolve-host.ts';
import { runningSince } from '../../telemetry/heartbeat.ts';
import type { Goods } from '../billing/index.ts';
import type { SmsSender } from '../sms/index.ts';
import { type AccessPointDeps, createAccessPoints } from './access-points/access-points.ts';
import { createPortalCheck, type PortalCheckDeps } from './check.ts';
import { createEdgeGateways, type EdgeGatewayDeps } from './edge-gateway.ts';
import { createEdgeReports } from './edge-reports.ts';
import { createFairQueues } from './fair-queues.ts';
import { createGuestAdmin, type GuestAdminDeps } from './guest-admin.ts';
import { createGuestLimits } from './guest-limits.ts';
import { createGuestLogins } from './guest-logins.ts';
import { createGuestPages } from './guest-pages.ts';
import { mountGuestRoutes } from './guest-routes.ts';
import { createGuestServer, type GuestServerOptions } from './guest-server.ts';
import { createGuestSites } from './guest-site.ts';
import { pruneLogins } from './login-store.ts';
import { createMemberAdmin } from './member-admin.ts';
import { knownMembers, listMembers } from './member-store.ts';
import { createDynamicPasswords } from './methods/dynamic-password/password.ts';
import { createIdentityProviders, type LoginEndpoints } from './methods/index.ts';
import type { GuestInvoices } from './payments/guest-invoices.ts';
import { createPersons } from './persons.ts';
import { createGuestGate } from './radius/guest-gate.ts';
import { type BlockedClients, createMemberProofs } from './radius/member-proofs.ts';
import { createMemberGate } from './radius/member-radius.ts';
import { voidProofs } from './radius/proof-voids.ts';
import { createReception } from './reception/reception.ts';
import { knownVisits } from './reception/waiting-store.ts';
import { createRequestSource } from './request-source.ts';
import { pruneSessions, retentionOf, saveRetention } from './retention.ts';
import { createRowLimit } from './row-limit.ts';
import { guestSearch } from './search.ts';
import { createPortalSecrets } from './secrets.ts';
import { createSessionEnds, endSilent, sessionEndTask } from './session-ends.ts';
import { createSessionHistory } from './session-history.ts';
import { endExpired, knownSessions } from './session-store.ts';
import { createSignIn } from './sign-in.ts';
import { createSites, type SiteDeps } from './site.ts';
import { portalOfUnbound } from './unbind.ts';
import { createVoucherAdmin } from './voucher-admin.ts';
import { knownBatches, listBatches, listVoucherNetworks } from './voucher-store.ts';
import { payHostsOf } from './whitelist.ts';
import { createZoneChange } from './zone-change.ts';

export { portalAlarms } from './alarm-source.ts';
export { type GuestDay, guestDays, guestsAt, guestsNow, guestsOf } from './figures.ts';
export { takenMemberNames } from './member-names.ts';
export { openPortals } from './open-portals.ts';
export type { PortalTemplates } from './templates.ts';

export interface PortalDeps
  extends Omit<SiteDeps, 'origin' | 'radius' | 'gateways' | 'accessPoints' | 'resolveHost' | 'payHosts'>,
    Omit<GuestAdminDeps, 'gateways' | 'secrets'>,
    EdgeGatewayDeps,
    Pick<AccessPointDeps, 'nases'> {
  configuration: EdgeGatewayDeps['configuration'] & AccessPointDeps['configuration'];
  config: Pick<
    Config,
    | ('host' | 'portalPort' | 'portalPortIsChosen' | 'publicUrl' | 'tls' | 'trustedProxies')
    | ('deviceHost' | 'radiusAuthPort' | 'radiusAcctPort' | 'privateWebhooks')
  >;
  masterKey: Buffer;
  bus: Bus;
  blocked: BlockedClients;
  nasStates: PortalCheckDeps['nasStates'];
  speakingDevices: PortalCheckDeps['speakingDevices'];
  goods: Pick<Goods, 'redeemCard' | 'purchases'>;
  mountPayments(app: FastifyInstance, options: { limitFactor: number }): void;
  guestInvoices: GuestInvoices;
  outbox: Pick<Outbox, 'flush' | 'queue' | 'toFile'>;
  sms: SmsSender;
  loginEndpoints: LoginEndpoints | undefined;
  /** Of tests. */
  resolveHost: ResolveHost | undefined;
}

function originOf({ publicUrl, tls, portalPort }: PortalDeps['config'], port: number): string {
  return new URL(`${tls ? 'https' : 'http'}://${new URL(publicUrl).hostname}:${portalPort || port}`).origin;
}

export function createPortal(deps: PortalDeps) {
  const { database, clock, config, masterKey } = deps;
  let port = 0;
  const secrets = createPortalSecrets(masterKey);
  const { deviceHost, radiusAuthPort, radiusAcctPort } = config;
  const radius = { host: deviceHost, auth: radiusAuthPort?.port ?? null, acct: radiusAcctPort?.port ?? null };
  const gateways = createEdgeGateways(deps);
  const origin = () => originOf(config, port);
  const payHosts = () => payHostsOf(deps.goods.purchases.payHosts(), config.publicUrl);
  const accessPoints = createAccessPoints({ ...deps, radius, origin, payHosts });
  const resolving = { resolveHost: deps.resolveHost ?? resolveHost };
  const sites = createSites({ ...deps, ...resolving, radius, gateways, accessPoints, origin, payHosts });
  const check = createPortalCheck({ ...deps, gateways, accessPoints, origin, sites });
  const guests = createGuestAdmin({ ...deps, secrets, gateways });
  const history = createSessionHistory({ ...deps, secrets });
  const reception = createReception({ ...deps, secrets, gateways });
  const persons = createPersons({ ...deps, secrets });
  const reports = createEdgeReports({ database, clock, gateways });
  const vouchers = createVoucherAdmin({ ...deps, secrets });
  const dynamicPasswords = createDynamicPasswords({ ...deps, secrets });
  const memberAdmin = createMemberAdmin(deps);
  const rows = createRowLimit();
  const slots = createGuessSlots({ database, clock });
  const limits = createGuestLimits({ database, slots, queues: createFairQueues(clock), rows });
  const signIn = createSignIn({ ...deps, secrets });
  const members = createMemberGate({ ...deps, secrets, signIn, limits });
  const proofs = createMemberProofs(deps);
  return {
    routes: (): Route[] => [
      ...implement(contract, {
        site: ({ tx, acting, input }) => sites.get(tx, acting, input.gwid),
        async siteSave({ inTenant, acting, input }) {
          const isShown = input.gateway === undefined || input.gateway.startsWith('opennds_');
          const addresses = isShown ? await sites.addressesNow() : [];
          return inTenant((tx) => sites.save(tx, acting, input, addresses));
        },
        accessPointPreview: ({ tx, acting, input }) => sites.preview(tx, acting, input),
        check: ({ inTenant, acting, input }) => check(inTenant, acting.accountId, input),
        async secretRenew({ inTenant, acting, input }) {
          const addresses = await sites.addressesNow();
          return inTenant((tx) => sites.renew(tx, acting, input.gwid, addresses));
        },
        secretEnd: ({ tx, acting, input }) => sites.endOld(tx, acting, input.gwid),
        async settingsReveal({ inTenant, acting, input }) {
          const addresses = await sites.addressesNow();
          return inTenant((tx) => sites.reveal(tx, acting, input.gwid, addresses));
        },
        online: ({ tx, acting, input }) => guests.list(tx, acting.accountId, input),
        kick: ({ inTenant, acting, input }) => guests.kick(inTenant, acting, input),
        funnel: ({ tx, acting, input }) => guests.funnel(tx, acting.accountId, input.gwid),
        voucherNetworks: ({ tx, acting, input }) => listVoucherNetworks(tx, acting.accountId, input),
        batchList: ({ tx, acting, input }) => listBatches(tx, acting.accountId, input),
        batchCreate: ({ tx, acting, input }) => vouchers.create(tx, acting, input),
        batchReveal: ({ tx, acting, input }) => vouchers.reveal(tx, acting, input),
        voucherCount: ({ tx, acting, input }) => vouchers.count(tx, acting.accountId, input.gwid),
        batchVoid: ({ tx, acting, input }) => vouchers.void(tx, acting, input),
        dynamicPassword: ({ tx, acting, input }) => dynamicPasswords.state(tx, acting.accountId, input.gwid),
        dynamicPasswordReveal: ({ tx, acting, input }) => dynamicPasswords.reveal(tx, acting, input.gwid),
        memberList: ({ tx, acting, input }) => listMembers(tx, acting.accountId, input),
        memberCreate: ({ inTenant, acting, input }) => memberAdmin.create(inTenant, acting, input),
        memberSave: ({ inTenant, acting, input }) => memberAdmin.save(inTenant, acting, input),
        memberDelete: ({ tx, acting, input }) => memberAdmin.remove(tx, acting, input),
      }),
      ...implement(portalSessions, {
        list: ({ tx, acting, input }) => history.list(tx, acting.accountId, input),
        terms: ({ tx, acting, input }) => history.terms(tx, acting.accountId, input),
        reveal: ({ tx, acting, input }) => history.reveal(tx, acting, input),
      }),
      ...implement(portalReception, {
        networks: ({ tx, acting, input }) => listVoucherNetworks(tx, acting.accountId, input),
        guests: ({ tx, acting, input }) => reception.guests(tx, acting.accountId, input),
        extend: ({ inTenant, acting, input }) => reception.extend(inTenant, acting, input),
        signOut: ({ inTenant, acting, input }) => guests.kick(inTenant, acting, input),
        waiting: ({ tx, acting, input }) => reception.waiting(tx, acting.accountId, input),
        move: ({ inTenant, acting, input }) => reception.move(inTenant, acting, input),
        code: ({ tx, acting, input }) => reception.code(tx, acting.accountId, input),
        tries: ({ tx, acting, input }) => reception.tries(tx, acting.accountId, input),
      }),
      ...implement(portalPrivacy, {
        retention: ({ tx, acting }) => retentionOf(tx, acting.accountId),
        retentionSave: ({ tx, acting, input }) => saveRetention(tx, acting, input),
        personExport: ({ tx, acting, input }) => persons.export(tx, acting, input),
        personErase: ({ tx, acting, input }) => persons.erase(tx, acting, input),
      }),
    ],

    async listen(options: Pick<GuestServerOptions, 'log' | 'limitFactor'>): Promise<() => Promise<void>> {
      const guestSites = createGuestSites(deps);
      const deviceOf = createRequestSource({ secrets, sites: guestSites });
      const { log, limitFactor } = options;
      const app = await createGuestServer({ ...config, log, limitFactor, deviceOf });
      const pages = createGuestPages({ ...deps, secrets, signIn, rows, origin });
      const providers = createIdentityProviders({
        clock,
        privateAddresses: config.privateWebhooks,
        endpoints: deps.loginEndpoints,
      });
      const logins = createGuestLogins({ ...deps, secrets, signIn, providers, origin, sites: guestSites });
      mountGuestRoutes(app, { ...deps, secrets, sites: guestSites, pages, gateways, logins, limits, origin });
      deps.mountPayments(app, options);
      const at = { host: config.host, port: config.portalPort };
      try {
        await app.listen(at);
        port = (app.server.address() as AddressInfo).port;
      } catch (error) {
        const reason = listenError('YUNXUN_PORTAL_PORT', at, error as Error);
        // a taken default port must not stop the console
        if (config.portalPortIsChosen) throw reason;
        options.log.warn({ port: at.port, reason: reason.message }, 'guests are not served: portal port not opened');
      }
      return () => app.close();
    },
    /** Returns 0 before `listen`. */
    port: () => port,

    gate: createGuestGate({ ...deps, secrets, members, proofs }),
    unbind: portalOfUnbound,
    search: guestSearch(secrets),
    templateSites: sites.templateSites,
    captiveOf: sites.captiveOf,
    guestGatesOf: sites.guestGatesOf,
    whitelistChanged: sites.whitelistChanged,
    contentChanged: (tx: Tx, accountId: string) => voidProofs(tx, accountId, ['account']),
    zoneChanged: createZoneChange({ ...deps, gateways }),
    objects: {
      portal_session: knownSessions,
      portal_visit: knownVisits,
      portal_member: knownMembers,
      voucher_batch: knownBatches,
    },
    tasks: {
      'portal-expiry': () =>
        database.withSystem(async (tx) => {
          const now = clock.now();
          await endExpired(tx, now);
          await pruneLogins(tx, now);
          await endSilent(tx, now, await runningSince(tx, now));
        }),
      [sessionEndTask]: createSessionEnds({ ...deps, gateways }),
      'portal-edge': () => reports.run(),
      'portal-prune': () => database.withSystem((tx) => pruneSessions(tx, clock.now())),
    },
    schedules: [
      { task: 'portal-expiry', cron: '* * * * *' },
      { task: 'portal-edge', cron: '* * * * *', exclusive: true as const },
      { task: 'portal-prune', cron: '43 3 * * *' },
    ],
  };
}
