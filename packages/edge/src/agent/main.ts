import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Records } from '../apply/records.ts';
import { readIdentity } from './identity-file.ts';
import { placesOf } from './places.ts';
import { readStatus } from './status-file.ts';
import { agentVersion } from './version.ts';
import { Versions } from './versions.ts';
import { waitOnline } from './wait-online.ts';

const usage = `Yunxun edge ${agentVersion}: makes this Linux box a gateway of a Yunxun console.

  yunxun-edge install             puts program and service in place (root)
  yunxun-edge enroll <console> <binding code> [--gwid <network>]
  yunxun-edge run                 what the service starts
  yunxun-edge dry-run <file>      what a configuration document would change here ("-": read from standard input)
  yunxun-edge status
  yunxun-edge wait-online         waits until the agent is online, or says why it is not
  yunxun-edge version
`;

/** `offline`: running without a session. `stopped`: enrolled, not running. `notEnrolled`: must not be restarted. */
const exits = { done: 0, failed: 1, usage: 2, offline: 4, stopped: 5, notEnrolled: 78 } as const;

const places = placesOf(process.env);
const say = (text: string) => process.stdout.write(`${text}\n`);
const printError = (text: string) => process.stderr.write(`yunxun-edge: ${text}\n`);

async function run(): Promise<number> {
  const identity = readIdentity(places);
  if (identity === null) return notEnrolled();
  const { runAgent } = await import('./run.ts');
  return runAgent(places, identity, say);
}

async function enroll(positionals: readonly string[], gwid: string | undefined): Promise<number> {
  const [console, code] = positionals;
  if (console === undefined || code === undefined) return wrong();
  const [{ enrollHost }, { serviceManager, startService }] = await Promise.all([
    import('./enroll.ts'),
    import('./install.ts'),
  ]);
  try {
    const serial = await enrollHost(places, { console, code, ...(gwid === undefined ? {} : { gwid }) }, (message) => {
      printError(message);
      printError('Waiting up to 15 minutes ...');
    });
    say(`${serial} is enrolled; ${join(places.etc, 'ports.json')} says which device is which port.`);
    // under systemd this is the service user; the launcher starts the service
    const installed =
      process.getuid?.() === 0 && !process.env.YUNXUN_EDGE_ROOT && existsSync('/usr/lib/yunxun-edge/launch');
    return installed && (await startService(serviceManager())) ? waitUntilOnline() : exits.done;
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function waitUntilOnline(): Promise<number> {
  const identity = readIdentity(places);
  if (identity === null) return notEnrolled();
  const problem = await waitOnline(places, identity, printError);
  if (problem === null) {
    say('Online: the console shows this machine now.');
    return exits.done;
  }
  printError(`not online: ${problem}`);
  if (readStatus(places) === null) return exits.stopped;
  printError('The agent goes on trying; "yunxun-edge status" says how things stand.');
  return exits.offline;
}

function notEnrolled(): number {
  printError('this gateway is not enrolled: yunxun-edge enroll <console> <binding code>');
  return exits.notEnrolled;
}

async function putInPlace(): Promise<number> {
  const { install, procdState, serviceManager } = await import('./install.ts');
  const root = process.env.YUNXUN_EDGE_ROOT || '/';
  const manager = serviceManager();
  // whatever the caller's environment says
  const there = manager === 'procd' ? placesOf({ ...process.env, YUNXUN_EDGE_STATE: procdState }) : places;
  if (root === '/' && process.getuid?.() !== 0) {
    printError('installing needs root');
    return exits.failed;
  }
  // the service user must read it, even with root's strict umask
  process.umask(0o022);
  try {
    const bundle = fileURLToPath(import.meta.url);
    await install({ places: there, root, bundle, node: process.execPath, manager, say });
    return exits.done;
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function adopt(): Promise<number> {
  const { adoptVersion } = await import('./install.ts');
  try {
    adoptVersion(places, fileURLToPath(import.meta.url));
    return exits.done;
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function upgradeRootFiles(): Promise<number> {
  const [{ upgradeUnits }, { runTool }, { trialSeconds }, { launcherPath }] = await Promise.all([
    import('./root-upgrade.ts'),
    import('../apply/executor.ts'),
    import('./versions.ts'),
    import('./system-files.ts'),
  ]);
  if (process.getuid?.() !== 0) {
    printError('upgrading what root installed needs root');
    return exits.failed;
  }
  const must = async (...argv: [program: string, ...args: string[]]) => {
    // longer than TimeoutStartSec
    const { code, stdout, stderr } = await runTool(argv, { timeout: 150_000 });
    if (code !== 0) throw new Error(`${argv.slice(0, 3).join(' ')}: ${stderr.trim()}`);
    return stdout;
  };
  try {
    await upgradeUnits({
      root: '/',
      program: places.program,
      running: agentVersion,
      say,
      systemctl: async (...args) => void (await must('systemctl', ...args)),
      filesOf: async (bundle) => JSON.parse(await must(process.execPath, bundle, 'files')) as unknown,
      giveWay: async () => void (await must(launcherPath, 'give-way')),
      within: (trialSeconds + 30) * 1000,
      every: 500,
    });
    return exits.done;
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function printFiles(): Promise<number> {
  const { systemdFiles } = await import('./system-files.ts');
  say(JSON.stringify(systemdFiles(process.execPath)));
  return exits.done;
}

/** Root's unit answers the agent's request; `give` starts again by hand what the agent stopped, once it has ended. */
async function port53(op: string | undefined): Promise<number> {
  const [{ answerRequest, recordPath }, { give }, { stopProgram }, { dnsmasqFile }] = await Promise.all([
    import('../port53/index.ts'),
    import('../port53/take.ts'),
    import('../apply/executor.ts'),
    import('../apply/entries.ts'),
  ]);
  if (op !== undefined && op !== 'give') return wrong();
  if (op === 'give' && readStatus(places) !== null) {
    printError('the agent runs and has the place: systemctl disable --now yunxun-edge.service');
    return exits.failed;
  }
  try {
    if (op === 'give') {
      // our DNS server outlives the agent
      await stopProgram({ do: 'stop', pidFile: join(places.run, 'dnsmasq.pid'), of: dnsmasqFile(places.run) });
      await give({ record: recordPath });
    } else await answerRequest(places.run);
    return exits.done;
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function shell(): Promise<number> {
  const { serveShells } = await import('../remote/root-shell.ts');
  await serveShells();
  return exits.done;
}

async function transfer(): Promise<number> {
  const { actOnFile } = await import('../remote/file-program.ts');
  await actOnFile(process.stdin, process.stdout);
  return exits.done;
}

async function dryRun(file: string | undefined): Promise<number> {
  if (file === undefined) return wrong();
  const [{ readDocument }, { describe, render }, { factsOf, probeAbilities }, { mtusOf, readPorts }] =
    await Promise.all([
      import('../document/index.ts'),
      import('../render/index.ts'),
      import('./facts.ts'),
      import('./ports.ts'),
    ]);
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    printError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return exits.failed;
  }
  const ports = readPorts(places) ?? {};
  const facts = factsOf(ports, await probeAbilities(ports.WAN1 ?? null), places, await mtusOf(ports));
  const read = readDocument(document, facts);
  if ('refused' in read) {
    for (const sentence of read.refused) say(sentence);
    return exits.failed;
  }
  for (const sentence of read.rejected) say(sentence);
  const text = describe(new Records(places.state).applied.plan, render(read.document, facts));
  say(text === '' ? 'Nothing would change.' : text);
  return exits.done;
}

function status(): number {
  const identity = readIdentity(places);
  const records = new Records(places.state);
  const { applied, journal, returned } = records;
  const running = readStatus(places);
  const versions = new Versions(places.program);
  say(`version        ${agentVersion}${versions.previous === null ? '' : ` (before: ${versions.previous})`}`);
  if (identity === null) say('enrolment      none');
  else {
    say(`serial         ${identity.serial}`);
    say(`console        ${identity.server}:${identity.port}`);
    say(`certificate    until ${new X509Certificate(identity.certificate).validTo}`);
    say(`upgrades       ${identity.signingKey === undefined ? 'no signing key was given: none' : 'signed'}`);
  }
  if (running === null) say('agent          does not run');
  else say(`agent          runs, ${running.online ? 'online' : `offline: ${running.problem ?? 'not connected yet'}`}`);
  if (running !== null) say(`SD-WAN         ${running.sdwan === null ? 'possible' : `not possible: ${running.sdwan}`}`);
  say(`configuration  ${applied.uuid === 0 ? 'none' : applied.uuid}`);
  const over = journal !== null && journal.until * 1000 < Date.now();
  if (over) say(`returning      from ${journal.uuid} to ${journal.previousUuid}, which does not hold yet`);
  else if (journal !== null)
    say(`waits          ${journal.uuid}, until ${new Date(journal.until * 1000).toISOString()}`);
  if (returned !== null) say(`taken back     ${returned.uuid}: ${returned.reason}`);
  return identity === null ? exits.failed : exits.done;
}

function wrong(): number {
  process.stderr.write(usage);
  return exits.usage;
}

async function main(): Promise<number> {
  let parsed: { values: { gwid?: string; help?: boolean }; positionals: string[] };
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: { gwid: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    return wrong();
  }
  const { values, positionals } = parsed;
  const [command, ...rest] = positionals;
  if (values.help) {
    say(usage);
    return exits.done;
  }
  switch (command) {
    case 'run':
      return run();
    case 'enroll':
      return enroll(rest, values.gwid);
    case 'install':
      return putInPlace();
    case 'adopt':
      return adopt();
    case 'upgrade-units':
      return upgradeRootFiles();
    case 'files':
      return printFiles();
    case 'port53':
      return port53(rest[0]);
    case 'shell':
      return shell();
    case 'transfer':
      return transfer();
    case 'dry-run':
      return dryRun(rest[0]);
    case 'status':
      return status();
    case 'wait-online':
      return waitUntilOnline();
    case 'version':
      say(agentVersion);
      return exits.done;
    default:
      return wrong();
  }
}

process.exit(await main());
