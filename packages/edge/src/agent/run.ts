import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asNumber, type ConnectReason, edgeTakenMethod, edgeUnboundMethod } from '@yunxun/contract/device';
import { driftFrom, lookAround, pathsIn, readAround, waysOut } from '../apply/drift.ts';
import { writeDurably } from '../apply/durable.ts';
import { disconnect, MachineExecutor } from '../apply/executor.ts';
import { GatewayHost } from '../apply/gateway-host.ts';
import { Healing } from '../apply/healing.ts';
import { otherFirewalls } from '../apply/others.ts';
import { Records, type Returned } from '../apply/records.ts';
import { disableResolverLog, enableResolverLog } from '../apply/resolver-log.ts';
import { machineSnapshot } from '../apply/snapshot.ts';
import { reachConsoleWithin } from '../apply/verify.ts';
import { createCaptive } from '../captive/index.ts';
import { DeviceClient } from '../client.ts';
import { systemClock, wait } from '../clock.ts';
import { agentFirmware } from '../firmware.ts';
import { createFlow } from '../flow/index.ts';
import { createMeasures } from '../measure/index.ts';
import { createPlugins } from '../plugins/index.ts';
import { createPort53 } from '../port53/index.ts';
import { createSdwan, ownPublicKey } from '../sdwan/index.ts';
import { createServing } from '../services/serving.ts';
import { createShield } from '../shield/index.ts';
import { createConsoleNames, hasCarrier } from './console-names.ts';
import { consoleParts } from './console-parts.ts';
import { createConsoleTools } from './console-tools.ts';
import { download, downloadShield } from './download.ts';
import { factsOf, missingTools, noSdwanBecause, probeAbilities } from './facts.ts';
import { askRootToUpgrade, rebootHost, rootTimeout, takeCause } from './going-down.ts';
import { forgetIdentity, type PinnedIdentity, writeIdentity } from './identity-file.ts';
import { LeaseWatch, leaseOf } from './leases.ts';
import { LinuxSystem } from './linux-system.ts';
import { readOptions } from './options-file.ts';
import { startPeriodic } from './periodic.ts';
import type { Places } from './places.ts';
import { mtusOf, readPorts } from './ports.ts';
import { Renewal } from './renewal.ts';
import { sayReady } from './service-ready.ts';
import { writeStatus } from './status-file.ts';
import { openStore } from './store-file.ts';
import { Unbinding } from './unbinding.ts';
import { upgradeTo } from './upgrade.ts';
import { agentVersion } from './version.ts';
import { Versions } from './versions.ts';
import { describeEnd } from './wait-online.ts';
import { WanReports } from './wan-reports.ts';
import { renewNetwork, WayBack } from './way-back.ts';

/** Milliseconds for a link to answer after a network change. */
const linkTimeout = 5_000;

export async function runAgent(places: Places, identity: PinnedIdentity, log: (line: string) => void): Promise<number> {
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  for (const folder of [places.state, places.run]) mkdirSync(folder, { recursive: true, mode: 0o755 });
  const ports = readPorts(places) ?? {};
  const abilities = await probeAbilities(ports.WAN1 ?? Object.values(ports)[0] ?? null);
  const facts = factsOf(ports, abilities, places, await mtusOf(ports));
  const allowed = readOptions(places);
  const noSdwan = noSdwanBecause(abilities);
  let problem: string | null = null;
  const records = new Records(places.state);
  const versions = new Versions(places.program);
  const renewal: Renewal = new Renewal({
    identity,
    clock: systemClock,
    keep: (renewed) => writeIdentity(places, renewed),
    send: (method, params) => say(method, params),
    show: (shown) => client.show(shown),
    reconnect: () => client.loseLink(0),
    log,
  });
  const measures = createMeasures({
    clock: systemClock,
    ports,
    stateFolder: places.state,
    leased: (device) => leaseOf(places.run, device),
    watched: () => client.report(),
  });
  /** Rollback without a later command in its session: that path may be dead, so report again. */
  let unreported: Returned | null = null;
  const { network, names, look: lookAtNames } = createConsoleNames({ places, identity, host: () => host, log });
  const { lookup } = network;
  const port53 = createPort53({
    clock: systemClock,
    run: places.run,
    isRoot: process.getuid?.() === 0,
    log,
    changed: () => client.report(),
  });
  const host: GatewayHost = new GatewayHost({
    records,
    executor: new MachineExecutor((op) => port53.perform(op)),
    snapshot: machineSnapshot(),
    run: places.run,
    hooks: places.state,
    ways: () => readAround(waysOut),
    paths: () => readAround(pathsIn),
    lease: (device) => leaseOf(places.run, device),
    hasCarrier,
    clock: systemClock,
    drift: (wanted) => driftFrom(wanted, places.run),
    reach: (within, signal) => reachConsoleWithin(renewal.shown, within, 500, signal, lookup),
    names,
    pending: (pending) => system.say('unit.config-pending', { ...pending }),
    returned(returned) {
      unreported = client.online ? returned : null;
      wayBack.returned();
      system.say('unit.config-returned', { ...returned });
    },
    losing: () => flow.count(),
    log,
  });
  const wayBack = new WayBack({ host, log, clock: systemClock, renew: () => renewNetwork(places, ports, log) });
  const healing = new Healing({
    host,
    log,
    run: places.run,
    clock: systemClock,
    look: lookAround,
    healed: (what) => system.say('unit.config-healed', { what }),
  });
  const learned = () => {
    void measures.refresh();
    void lookAtNames();
  };
  const leases = new LeaseWatch(host, places.run, learned, (fault, name) => system.say(`dhcp.${fault}`, { name }));
  const flow = createFlow({
    clock: systemClock,
    serial: identity.serial,
    stateFolder: places.state,
    measures,
    send: say,
    rulesFile: join(places.etc, 'categories'),
    queried: (name, client) => shield.queried(name, client),
    refused: (name, client) => shield.refused(name, client),
    log,
  });
  const shield = createShield({
    host,
    log,
    clock: systemClock,
    stateFolder: places.state,
    run: places.run,
    beforeDomains: () => flow.readQueryLog(),
    fetch: (path) => downloadShield(path, identity, lookup),
    macOf(address) {
      const owner = measures.ownerOf(address);
      return owner === 'none' || owner === 'later' ? null : owner;
    },
  });
  const captive = createCaptive({
    host,
    log,
    clock: systemClock,
    stateFolder: places.state,
    async disconnect(macs) {
      await flow.count();
      await disconnect(macs);
    },
    bytesOf: (mac) => flow.bytesOf(mac),
    limitsRates: abilities.captiveRates === true,
    lookup,
  });
  const sdwan = abilities.sdwan
    ? createSdwan({
        host,
        clock: systemClock,
        publicKey: ownPublicKey(join(places.state, 'wireguard.key')),
        moved({ prefixes, ...change }) {
          log(`SD-WAN ${change.network}: ${prefixes.length} prefixes go over ${change.to} instead of ${change.from}`);
          system.say('sdwan.path', { ...change, prefixes: prefixes.slice(0, 20) });
        },
        changed: () => client.report(),
      })
    : null;
  const issued = Date.parse(new X509Certificate(identity.certificate).validFrom);
  const serving = createServing({
    host,
    clock: systemClock,
    // without a battery the clock starts in the past
    isClockSet: () => systemClock.now() >= issued,
    log,
  });
  const plugins = createPlugins({
    // elsewhere the service user cannot write; root's folder alone is open to a plugin's user
    folder:
      process.getuid?.() === 0 ? join(places.etc, '../../usr/lib/yunxun-edge/plugins') : join(places.state, 'plugins'),
    clock: systemClock,
    origins: [new URL(identity.console).origin],
    log,
    download: (url, more) => download(url, { ...more, lookup }),
  });
  const { remote, ...tools } = await createConsoleTools({
    places,
    pinned: identity,
    identity: () => renewal.shown,
    ports,
    lookup,
    layout: () => host.plan.layout,
    networks: () => host.plan.networks,
    log,
  });
  const wans = new WanReports(host, measures, leases, () => client.checkLink(linkTimeout));
  const system: LinuxSystem = new LinuxSystem({
    serial: identity.serial,
    facts,
    allowed,
    host,
    records,
    measures,
    flow,
    sdwan,
    shield,
    captive,
    plugins,
    port53,
    remote,
    missing: missingTools(),
    others: () => otherFirewalls(),
    settled,
    ...tools,
    upgrade: (uri) =>
      upgradeTo(uri, { versions, running: agentVersion, signingKey: identity.signingKey ?? null, lookup }),
    restart: (cause) => void goDown(cause),
    quiet: () => unbinding.quiet,
    async forget(keepIdentity) {
      await host.clear();
      await plugins.clear();
      flow.erase();
      shield.erase();
      await captive.erase();
      store.reset();
      unbinding.forget();
      if (!keepIdentity) forgetIdentity(places);
      await goDown('factory');
    },
    moved: () => client.checkLink(linkTimeout),
  });
  const store = openStore(places.state);
  const unbinding: Unbinding = new Unbinding({
    clock: systemClock,
    random: Math.random,
    stateFolder: places.state,
    ca: identity.ca,
    log,
    ...consoleParts({ host, store, measures, plugins, captive, shield, reload: () => client.reload() }),
  });
  const client: DeviceClient = new DeviceClient({
    identity: renewal.shown,
    network,
    system,
    store,
    firmware: agentFirmware,
    clock: systemClock,
    random: Math.random,
    pace: (end) => unbinding.pace(end),
    onCommand(method, params) {
      unbinding.onCommand(method, params);
      if (method === edgeUnboundMethod) void remote.close();
      void renewal.onCommand(method, params);
      const seq = asNumber(params.seq);
      if (method === edgeTakenMethod && seq !== null) flow.taken(seq);
    },
    observer(change) {
      if (change.change === 'online') {
        problem = null;
        log('online');
        if (versions.onTrial && versions.current === agentVersion) versions.proven();
        flow.online();
        captive.console(true);
        wayBack.online();
        renewal.online();
        sdwan?.online();
        unbinding.online();
        void renewal.look();
        if (unreported !== null) system.say('unit.config-returned', { ...unreported });
        if (system.takeUntried()) void client.reload();
      }
      if (change.change === 'offline') {
        problem = describeEnd(change.end, identity);
        log(`offline: ${problem}`);
        renewal.offline();
        unbinding.offline(change.end);
        if (change.end.unbound) void remote.close();
        captive.console(false);
      }
      if (change.change === 'command') {
        unreported = null;
        log(`command ${change.method}`);
      } else status();
    },
  });
  async function settled(): Promise<void> {
    await wans.settled();
    await healing.look();
    sdwan?.settled();
    shield.settled();
    await captive.settled();
    serving.settled();
  }
  function say(method: string, params: Record<string, unknown>): boolean {
    if (!client.online) return false;
    client.send(method, params);
    return true;
  }
  function status(): void {
    attempt(() =>
      writeStatus(places, { pid: process.pid, version: agentVersion, online: client.online, problem, sdwan: noSdwan }),
    );
  }
  /** Continues after a failed write (full disk): routing must not stop. */
  function attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Exits; the service manager restarts the agent. */
  async function goDown(cause: ConnectReason): Promise<void> {
    attempt(() => writeDurably(join(places.state, 'cause.json'), JSON.stringify({ cause })));
    const alone = cause === 'upgrade' || cause === 'factory';
    if (!alone && system.mayRestart().error === 0) await rebootHost(places, log);
    if (cause === 'upgrade' && askRootToUpgrade(places, attempt))
      await Promise.race([ended, wait(systemClock, rootTimeout)]);
    end(0);
  }

  log(`Yunxun edge ${agentVersion} of ${identity.serial}, console ${identity.server}:${identity.port}`);
  leases.start();
  enableResolverLog(records.applied.plan.dnsmasq, places.run);
  const taken = await host.begin();
  if (taken !== null) wayBack.returned();
  await port53.settle(host.plan.dnsmasq?.takes === true);
  // killed after a confirmed change, before the store was written
  if (store.newest.uuid === records.applied.uuid) store.activate(store.newest.uuid);
  await settled();
  measures.start();
  void port53.look();
  if (!unbinding.quiet) plugins.start();
  flow.start();
  status();
  await sayReady(log);
  const failed = versions.takeReturned();
  // repeated: the earlier session may have been lost
  const untried = taken ?? (records.returned?.uuid === store.newest.uuid ? records.returned : null);
  if (untried !== null) system.say('unit.config-returned', { ...untried });
  if (failed !== null) system.say('unit.upgrade-returned', { version: failed });
  await client.start(failed === null ? takeCause(places, records.boot, attempt) : 'upgradefailed');

  const periodic = startPeriodic({
    stateFolder: places.state,
    schedule: () => (allowed.reboot ? host.plan.schedule : null),
    renew: () => void renewal.look(),
    drift() {
      void healing.look().then(() => captive.look());
      void port53.look();
      wayBack.look();
      void lookAtNames();
    },
    heal: () => healing.look(),
    reboot: () => void goDown('reboot'),
    leaked() {
      log('too much memory: the agent starts anew');
      end(1);
    },
    attempt,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(0));
  const code = await ended;
  periodic.stop();
  await remote.close();
  await plugins.stop();
  await host.close();
  client.stop('polite');
  leases.stop();
  measures.stop();
  sdwan?.stop();
  shield.stop();
  captive.stop();
  serving.stop();
  flow.stop();
  disableResolverLog(host.plan.dnsmasq, places.run);
  await wait(systemClock, 100);
  return code;
}
