import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { asNumber, asRecord, asText, type ConnectReason, edgeTakenMethod, isRecord } from '@yunxun/contract/device';
import { Box } from '../apply/box.ts';
import { lookAround, waysOut } from '../apply/drift.ts';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import { MachineExecutor, runTool } from '../apply/executor.ts';
import { Healing } from '../apply/healing.ts';
import { otherFirewalls } from '../apply/others.ts';
import { Records, type Returned } from '../apply/records.ts';
import { hearResolver, muteResolver } from '../apply/resolver-log.ts';
import { machineSnapshot } from '../apply/snapshot.ts';
import { reachConsoleWithin } from '../apply/verify.ts';
import { DeviceClient } from '../client.ts';
import { systemClock, wait } from '../clock.ts';
import { ConfigurationStore, type StoreContents } from '../configuration-store.ts';
import { agentFirmware } from '../firmware.ts';
import { createFlow } from '../flow/index.ts';
import { createMeasures } from '../measure/index.ts';
import { trace } from '../trace/index.ts';
import { factsOf, missingTools, probeAbilities } from './facts.ts';
import { forgetIdentity, type PinnedIdentity, writeIdentity } from './identity-file.ts';
import { LeaseWatch, leaseOf } from './leases.ts';
import { LineWords } from './line-words.ts';
import { LinuxSystem } from './linux-system.ts';
import { readOptions } from './options-file.ts';
import type { Places } from './places.ts';
import { readPorts } from './ports.ts';
import { Renewal } from './renewal.ts';
import { dueMinute } from './schedule.ts';
import { upgradeTo } from './upgrade.ts';
import { agentVersion } from './version.ts';
import { Versions } from './versions.ts';

/** A link that answers nothing for so long after a change of the network is given up, in milliseconds. */
const linkPatience = 5_000;
/** More resident memory than this (bytes) is a leak: the agent ends, and its service manager starts it anew. */
const mostMemory = 250 * 1024 * 1024;
const minute = 60_000;
/** How often it is looked whether everything is still there, milliseconds. */
const driftEvery = 30_000;

/** What an unconfigured box reports: enough to be seen. */
const unconfigured = {
  uuid: 1,
  metrics: {
    statistics: { interval: 60, types: ['clients'] },
    health: { interval: 120 },
    realtime: { types: ['client', 'wired', 'health', 'unit'] },
  },
};

/** Runs the agent until it is told to end. Resolves with its exit code. */
export async function runAgent(places: Places, identity: PinnedIdentity, log: (line: string) => void): Promise<number> {
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  for (const folder of [places.state, places.run]) mkdirSync(folder, { recursive: true, mode: 0o755 });
  const ports = readPorts(places) ?? {};
  const facts = factsOf(ports, await probeAbilities(ports.WAN1 ?? Object.values(ports)[0] ?? null), places);
  const allowed = readOptions(places);
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
    ...{ clock: systemClock, ports, stateFolder: places.state },
    leased: (device) => leaseOf(places.run, device)?.address ?? null,
  });
  /** What was taken back and said in a session in which the console has not been heard since: its line may be a dead one. */
  let unheard: Returned | null = null;
  const box = new Box({
    records,
    executor: new MachineExecutor(),
    snapshot: machineSnapshot(),
    run: places.run,
    hooks: places.state,
    async ways() {
      const seen = await lookAround();
      return seen === null ? null : waysOut(seen);
    },
    lease: (device) => leaseOf(places.run, device),
    clock: systemClock,
    reach: (within, signal) => reachConsoleWithin(renewal.shown, within, 500, signal),
    pending: (pending) => system.say('unit.config-pending', { ...pending }),
    returned(returned) {
      unheard = client.online ? returned : null;
      system.say('unit.config-returned', { ...returned });
    },
    losing: () => flow.count(),
    log,
  });
  const healing = new Healing({
    ...{ box, log, run: places.run, clock: systemClock, look: lookAround },
    healed: (what) => system.say('unit.config-healed', { what }),
  });
  const leases = new LeaseWatch(box, places.run, () => void measures.refresh());
  const flow = createFlow({
    clock: systemClock,
    serial: identity.serial,
    stateFolder: places.state,
    measures,
    send: say,
    rulesFile: join(places.etc, 'categories'),
    log,
  });
  const lines = new LineWords(box, measures, leases, () => client.checkLink(linkPatience));
  const system: LinuxSystem = new LinuxSystem({
    serial: identity.serial,
    ...{ facts, allowed, box, records, measures, flow },
    missing: missingTools(),
    others: () => otherFirewalls(),
    async settled() {
      await lines.settled();
      await healing.look();
    },
    trace: (params) =>
      trace(params, {
        ...{ serial: identity.serial, clock: systemClock, layout: box.plan.layout, ports, folder: places.run },
        origins: [new URL(identity.console).origin],
        ca: [identity.ca, ...rootCertificates],
      }),
    upgrade: (uri) => upgradeTo(uri, { versions, running: agentVersion, signingKey: identity.signingKey ?? null }),
    restart: (cause) => void goDown(cause),
    async forget(keepIdentity) {
      await box.clear();
      flow.erase();
      store.reset();
      if (!keepIdentity) forgetIdentity(places);
      await goDown('factory');
    },
    moved: () => client.checkLink(linkPatience),
  });
  const storeFile = join(places.state, 'store.json');
  const store = new ConfigurationStore(unconfigured, readStore(readJson(storeFile)), (contents) =>
    writeDurably(storeFile, JSON.stringify(contents)),
  );
  const client: DeviceClient = new DeviceClient({
    identity: renewal.shown,
    system,
    store,
    firmware: agentFirmware,
    clock: systemClock,
    random: Math.random,
    heard(method, params) {
      void renewal.heard(method, params);
      const seq = asNumber(params.seq);
      if (method === edgeTakenMethod && seq !== null) flow.taken(seq);
    },
    observer(change) {
      if (change.change === 'online') {
        log('online');
        if (versions.onTrial && versions.current === agentVersion) versions.proven();
        flow.online();
        renewal.online();
        void renewal.look();
        if (unheard !== null) system.say('unit.config-returned', { ...unheard });
        if (system.takeUntried()) void client.reload();
      }
      if (change.change === 'offline') {
        log(`offline: ${change.end.kind} ${change.end.detail}`);
        renewal.offline();
      }
      if (change.change === 'command') {
        unheard = null;
        log(`command ${change.method}`);
      } else status();
    },
  });
  /** False without a session. */
  function say(method: string, params: Record<string, unknown>): boolean {
    if (!client.online) return false;
    client.send(method, params);
    return true;
  }
  function status(): void {
    const text = { pid: process.pid, version: agentVersion, online: client.online, at: new Date().toISOString() };
    attempt(() => writeFileSync(join(places.run, 'status.json'), JSON.stringify(text)));
  }
  /** What cannot be written down keeps nobody from routing. */
  function attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** The box, or the agent alone: its service manager starts it anew. */
  async function goDown(cause: ConnectReason): Promise<void> {
    attempt(() => writeDurably(join(places.state, 'cause.json'), JSON.stringify({ cause })));
    const alone = cause === 'upgrade' || cause === 'factory';
    if (!alone && system.mayRestart().error === 0) await rebootBox(places, log);
    end(0);
  }

  log(`Yunxun edge ${agentVersion} of ${identity.serial}, console ${identity.server}:${identity.port}`);
  leases.start();
  hearResolver(records.applied.plan.dnsmasq, places.run);
  const taken = await box.begin();
  // a confirmed configuration whose note was not written before the agent was killed
  if (store.newest.uuid === records.applied.uuid) store.activate(store.newest.uuid);
  await lines.settled();
  await healing.look();
  measures.start();
  flow.start();
  status();
  const failed = versions.takeReturned();
  // also when it was said before: the session in which it was said may have been a lost one
  const untried = taken ?? (records.returned?.uuid === store.newest.uuid ? records.returned : null);
  if (untried !== null) system.say('unit.config-returned', { ...untried });
  if (failed !== null) system.say('unit.upgrade-returned', { version: failed });
  await client.start(failed === null ? takeCause(places, records.boot, attempt) : 'upgradefailed');

  const every = setInterval(() => {
    if (process.memoryUsage.rss() > mostMemory) {
      log('too much memory: the agent starts anew');
      end(1);
    }
    void renewal.look();
    const due = box.plan.schedule === null ? null : dueMinute(box.plan.schedule, new Date());
    const lastFile = join(places.state, 'scheduled.json');
    if (due === null || !allowed.reboot || asRecord<{ at: string }>(readJson(lastFile)).at === due) return;
    // one that cannot be noted would be done again and again
    if (attempt(() => writeDurably(lastFile, JSON.stringify({ at: due })))) void goDown('reboot');
  }, minute / 2);
  const looks = setInterval(() => void healing.look(), driftEvery);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(0));
  const code = await ended;
  clearInterval(every);
  clearInterval(looks);
  await box.close();
  client.stop('polite');
  leases.stop();
  measures.stop();
  flow.stop();
  muteResolver(box.plan.dnsmasq, places.run);
  // the last words of the session are on their way
  await wait(systemClock, 100);
  return code;
}

/** As root at once; else by the file that a unit of root's waits for. */
async function rebootBox(places: Places, log: (line: string) => void): Promise<void> {
  log('the box restarts');
  if (process.getuid?.() !== 0) {
    writeFileSync(join(places.run, 'reboot'), '');
    return;
  }
  const { code } = await runTool(['systemctl', 'reboot']);
  if (code !== 0) await runTool(['reboot']);
}

/** Why this start is: what the agent noted before it went down, a restart of the box, or only the agent's own. */
function takeCause(places: Places, boot: string, attempt: (write: () => void) => boolean): ConnectReason {
  const [causeFile, bootFile] = [join(places.state, 'cause.json'), join(places.state, 'boot.json')];
  const noted = asText(asRecord<{ cause: string }>(readJson(causeFile)).cause, 32);
  const known = asText(asRecord<{ boot: string }>(readJson(bootFile)).boot, 64);
  attempt(() => removeDurably(causeFile));
  if (known !== boot) attempt(() => writeDurably(bootFile, JSON.stringify({ boot })));
  if (noted !== null) return noted as ConnectReason;
  return known === boot ? 'socket' : 'coldboot';
}

function readStore(value: unknown): StoreContents | null {
  if (!isRecord(value) || !isRecord(value.active) || !Array.isArray(value.stored)) return null;
  return value as unknown as StoreContents;
}
