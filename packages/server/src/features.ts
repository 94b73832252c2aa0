import type { Base } from './base.ts';
import type { Feature } from './feature.ts';
import { createAccount } from './features/account/index.ts';
import { createAlarms } from './features/alarms/index.ts';
import { assetRoutes } from './features/assets/index.ts';
import { backupAlarms, createBackup, lastBackups } from './features/backup/index.ts';
import { billingAlarms, createBilling, type Orders } from './features/billing/index.ts';
import { createBinding } from './features/binding/index.ts';
import { configurationAlarms, createConfiguration } from './features/configuration/index.ts';
import { createFirmware, firmwareAlarms, newerFirmware, outdated } from './features/firmware/index.ts';
import { createFleet, fleetNetworks } from './features/fleet/index.ts';
import { flowRoutes } from './features/flow/index.ts';
import { createIdentity, type IdentityService, people } from './features/identity/index.ts';
import { importRoutes } from './features/imports/index.ts';
import {
  createInstallation,
  createMapTiles,
  installationSettings,
  type MapTilesSource,
} from './features/installation/index.ts';
import { createJobs } from './features/jobs/index.ts';
import { createLogs } from './features/logs/index.ts';
import { mapRoutes } from './features/map/index.ts';
import { createMessages } from './features/messages/index.ts';
import { networkTimelineRoutes } from './features/network-timeline/index.ts';
import { createPasswordReader, createPasswords, passwordRulesAt } from './features/passwords/index.ts';
import { createPeripherals, peripheralAlarms, peripheralMacs, powerOutcome } from './features/peripherals/index.ts';
import { createPersonal } from './features/personal/index.ts';
import { createPlugins } from './features/plugins/index.ts';
import { createPortal, openPortals, portalAlarms } from './features/portal/index.ts';
import { createPortalTemplates } from './features/portal-templates/index.ts';
import { createRadioPlans } from './features/radio-plan/index.ts';
import { createManagedNas, createRadius, nasStates, speakingDevices } from './features/radius/index.ts';
import { createRemote } from './features/remote/index.ts';
import { createReports } from './features/reports/index.ts';
import { createSdwan, sdwanAlarms, sdwanOf } from './features/sdwan/index.ts';
import { createSearchFeature } from './features/search/index.ts';
import { createShield, shieldOf } from './features/shield/index.ts';
import { createSms, smsAlarms } from './features/sms/index.ts';
import { createStatistics } from './features/statistics/index.ts';
import { createTemplates } from './features/templates/index.ts';
import { boxTree, topologyRoutes } from './features/topology/index.ts';
import { blockedTerminals, createUsers, isBlocked, listedSubject } from './features/users/index.ts';
import { wirelessMonitorRoutes } from './features/wireless-monitor/index.ts';
import { readLatestState, readLatestStates, telemetryOfUnbound } from './telemetry/index.ts';
import { createTelemetryJobs } from './telemetry/jobs.ts';
import { DeviceCommands, edgeBundlePath, edgeBundleVersion, type UplinkHandlers } from './uplink/index.ts';
import { version } from './version.ts';

export interface Features {
  list: readonly Feature[];
  handlers: UplinkHandlers;
  authenticate: IdentityService['authenticate'];
  gate: ReturnType<typeof createBinding>['gate'];
  portal: Pick<ReturnType<typeof createPortal>, 'listen' | 'port'>;
  radius: ReturnType<typeof createRadius>;
  remote: Pick<ReturnType<typeof createRemote>, 'listen'>;
  pictureOrigins: MapTilesSource['pictureOrigins'];
  orders: Orders;
}

/** The only file that knows every feature. */
export function createFeatures(base: Base): Features {
  const { options, config, database, bus, clock, log, keys, outbox, providers, downloads } = base;
  const { authority, device, metrics, storage, preparing, totals } = base;
  const { publicUrl } = config;
  const commands = new DeviceCommands(bus);

  const logs = createLogs({ database, downloads, networkNames: fleetNetworks.names, timeZoneOf: people.timeZoneOf });
  const jobs = createJobs({ database, bus, clock, networkNames: fleetNetworks.names });
  const messages = createMessages({ bus, clock, database, log });
  const fleet = createFleet({
    database,
    bus,
    clock,
    log,
    jobs,
    messages,
    hasSettings: (tx, accountId, gwid) => configuration.hasSettings(tx, accountId, gwid),
    noteFailure: (tx, agent, job, fault) => firmware.noteFailure(tx, agent, job, fault),
    deviceServer: () => ({ ...device, certificateNames: authority.serverNames, publicUrl }),
    facts: {
      settingsInForce: (tx, accountId, devices) => configuration.inForceOf(tx, accountId, devices),
      runsTemplate: (tx, accountId, id) => configuration.runsTemplate(tx, accountId, id),
      newerFirmware,
      outdatedFirmware: outdated,
      lastBackups,
    },
    async agentOffer() {
      const offered = await edgeBundleVersion(options.edgeDir ?? null);
      return offered === null ? null : { version: offered, uri: `${publicUrl}${edgeBundlePath}` };
    },
  });
  const configuration = createConfiguration({
    database,
    bus,
    clock,
    jobs,
    keys,
    commands,
    blockedTerminals,
    passwordRulesAt,
    sdwanOf,
    shieldOf,
    captiveOf: (tx, accountId, gwids) => portal.captiveOf(tx, accountId, gwids),
    guestGatesOf: (tx, accountId, gwids) => portal.guestGatesOf(tx, accountId, gwids),
    latestState: readLatestState,
    latestStates: readLatestStates,
    noteEvent: fleet.noteEvent,
    passwords: createPasswordReader(keys),
  });
  const users = createUsers({ database, bus, clock, jobs, commands, totals, blocking: configuration.blocking });
  const { settings, changes } = configuration;
  const backup = createBackup({
    database,
    clock,
    log,
    keys,
    settings,
    changes,
    simulateReplacement: fleet.simulateReplacement,
  });
  const binding = createBinding({ database, clock, messages, fleet });
  const templates = createTemplates({ clock, configuration });
  const passwords = createPasswords({ database, clock, keys, configuration, messages, outbox, log });
  const billing = createBilling({
    downloads,
    database,
    clock,
    log,
    messages,
    outbox,
    publicUrl,
    masterKey: options.masterKey,
    keys,
    adminEmail: config.adminEmail,
    proveWithdrawal: (person, password) => identity.proveWithdrawal(person, password),
    paymentEndpoints: options.paymentEndpoints,
    demo: options.demo ?? false,
  });
  const mapTiles = createMapTiles({ database, config });
  const sms = createSms({
    database,
    clock,
    keys,
    outbox,
    messages,
    publicUrl,
    orders: billing.orders,
    ownOrders: billing.ownOrders,
  });
  const alarms = createAlarms({
    database,
    bus,
    clock,
    log,
    messages,
    outbox,
    sms: sms.sender,
    keys,
    config,
    vapid: base.vapid,
    topology: { drawTree: boxTree, peripheralMacs },
    portalsAt: openPortals,
    powerOutcome,
  });
  alarms.join([
    backupAlarms,
    configurationAlarms,
    firmwareAlarms,
    peripheralAlarms,
    portalAlarms,
    sdwanAlarms,
    smsAlarms,
    billingAlarms,
  ]);
  const firmware = createFirmware({
    database,
    clock,
    jobs,
    backup,
    publicUrl,
    fleet,
  });

  const portalTemplates = createPortalTemplates({
    database,
    clock,
    keys,
    worker: options.pictureWorker,
    privateAddresses: config.privateWebhooks,
    usedBy: (tx, accountId, ids) => portal.templateSites(tx, accountId, ids),
    whitelistChanged: (tx, acting, id) => portal.whitelistChanged(tx, acting, id),
    contentChanged: (tx, accountId) => portal.contentChanged(tx, accountId),
  });
  const portal = createPortal({
    database,
    bus,
    blocked: { isBlocked, changedSubject: listedSubject },
    clock,
    keys,
    outbox,
    sms: sms.sender,
    config,
    masterKey: options.masterKey,
    goods: billing.goods,
    mountPayments: billing.mount,
    guestInvoices: billing.guestInvoices,
    configuration,
    devices: commands,
    nasStates,
    speakingDevices,
    nases: createManagedNas({ bus, clock, keys }),
    loginEndpoints: options.providerEndpoints,
    resolveHost: options.resolveHost,
    templates: options.portalTemplates ?? portalTemplates,
    disconnect: (accountId, gwid, acctSessionId) => radius.disconnect(accountId, gwid, acctSessionId),
  });
  const guests = options.guestGate ?? portal.gate;
  const radius = createRadius({ database, bus, clock, log, keys, metrics, config, gate: guests });

  const sdwan = createSdwan({
    database,
    clock,
    configuration,
    messages,
    publicUrl,
    billing: billing.orders,
    ownOrders: billing.ownOrders,
    latestStates: readLatestStates,
    tools: fleet.tools,
    deviceHost: config.deviceHost,
    jobs,
  });

  const account = createAccount({
    database,
    clock,
    bus,
    outbox,
    messages,
    publicUrl,
    decisions: billing.decisions,
    zoneChanged: portal.zoneChanged,
  });
  const identity = createIdentity({
    database,
    clock,
    bus,
    outbox,
    messages,
    keys,
    publicUrl,
    preparing,
    storage,
    adminEmail: config.adminEmail,
    registrationOpen: installationSettings.registrationOpen,
    invited: account.invited,
  });
  const personal = createPersonal({ database, clock, outbox, bus, messages, identity });
  const remote = createRemote({
    database,
    bus,
    clock,
    log,
    config,
    authority,
    devices: commands,
    messages,
    authenticate: identity.authenticate,
    keys,
    sweep: options.remoteSweep,
  });
  const peripherals = createPeripherals({
    database,
    clock,
    log,
    downloads,
    jobs,
    devices: commands,
    cyclePort: configuration.switches.cycle,
    allowsRemote: remote.allows,
  });
  const search = createSearchFeature({
    database,
    clock,
    sources: {
      ...fleet.search,
      client: users.search,
      guest: portal.search,
      ssid: configuration.search,
      template: templates.search,
      sdwan: sdwan.search,
      person: account.search,
      job: jobs.search,
      peripheral: peripherals.search,
      alarm: alarms.search,
      log: logs.search,
    },
  });

  fleet.groups.follow(configuration.forgetGroup);
  fleet.onDevicesChanged(configuration.devicesChanged);
  for (const carry of [configuration.overrides.carry, alarms.carry]) fleet.onDeviceReplaced(carry);
  fleet.unbind.join(alarms.unbindAddresses);
  const unbound = [
    configuration,
    backup,
    binding,
    alarms,
    sdwan,
    portal,
    portalTemplates,
    billing.goods,
    account,
    personal,
    remote,
  ];
  for (const { unbind } of unbound) fleet.unbind.join(unbind);
  fleet.unbind.join(telemetryOfUnbound);
  const joined = { connecting: firmware.connecting, mayLead: configuration.mayLead };
  const configured = configuration.joinHandlers(fleet.handlers(joined));
  const handlers = peripherals.joinHandlers(sdwan.joinHandlers(radius.joinHandlers(users.joinHandlers(configured))));

  const list: Feature[] = [
    identity,
    account,
    createInstallation({
      mapTiles,
      database,
      clock,
      bus,
      outbox,
      messages,
      providers,
      config,
      device,
      authority,
      version,
      preparing,
      storage,
      identity,
    }),
    personal,
    billing,
    ...billing.parts,
    sms,
    binding,
    alarms,
    createReports({ database, clock, log, outbox, config }),
    radius,
    peripherals,
    remote,
    createPlugins({ database, clock, jobs, publicUrl, devices: commands }),
    jobs,
    messages,
    logs,
    {
      ...fleet,
      routes: () => fleet.routes(downloads),
      mount: (app, { limitFactor }) => fleet.mountDeviceAddresses(app, limitFactor),
    },
    configuration,
    templates,
    passwords,
    portalTemplates,
    backup,
    { ...firmware, mount: (app, { limitFactor }) => firmware.mount(app, limitFactor) },
    createStatistics({ clock, database, downloads, log }),
    { routes: () => topologyRoutes({ clock }) },
    { routes: () => mapRoutes({ clock, tiles: mapTiles.tiles }) },
    { routes: (calls) => importRoutes({ calls, clock }) },
    { routes: () => assetRoutes({ database, clock, downloads }) },
    { ...users, routes: () => users.routes(downloads) },
    { routes: () => wirelessMonitorRoutes({ clock }) },
    { routes: () => flowRoutes({ clock }) },
    { routes: () => networkTimelineRoutes({ clock }) },
    search,
    createRadioPlans({ clock, overrides: configuration.overrides, fleet }),
    portal,
    sdwan,
    createShield({ database, clock, log, config, configuration, devices: commands }),
    createTelemetryJobs({ database, clock, log }),
  ];
  const { pictureOrigins } = mapTiles;
  const { authenticate } = identity;
  return {
    list,
    authenticate,
    handlers,
    gate: binding.gate,
    portal,
    radius,
    remote,
    pictureOrigins,
    orders: billing.orders,
  };
}
