import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asRecord } from '@yunxun/contract/device';
import { readJson } from '../apply/durable.ts';
import { Records } from '../apply/records.ts';
import { readIdentity } from './identity-file.ts';
import { placesOf } from './places.ts';
import { agentVersion } from './version.ts';
import { Versions } from './versions.ts';

const usage = `Yunxun edge ${agentVersion}: makes this Linux box a gateway of a Yunxun console.

  yunxun-edge install             puts program and service in place (root)
  yunxun-edge enroll <console> <binding code> [--gwid <network>]
  yunxun-edge run                 what the service starts
  yunxun-edge dry-run <file>      what a configuration document would change here ("-": read from standard input)
  yunxun-edge status
  yunxun-edge version
`;

/** Exit codes: done, failed, wrong arguments, and "not enrolled", at which a service manager is not to try again. */
const exits = { done: 0, failed: 1, usage: 2, notEnrolled: 78 } as const;

const places = placesOf(process.env);
const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (text: string) => process.stderr.write(`yunxun-edge: ${text}\n`);

async function run(): Promise<number> {
  const identity = readIdentity(places);
  if (identity === null) {
    complain('this box is not enrolled: yunxun-edge enroll <console> <binding code>');
    return exits.notEnrolled;
  }
  const { runAgent } = await import('./run.ts');
  return runAgent(places, identity, say);
}

async function enroll(positionals: readonly string[], gwid: string | undefined): Promise<number> {
  const [console, code] = positionals;
  if (console === undefined || code === undefined) return wrong();
  const [{ enrollBox }, { serviceManager, startService }] = await Promise.all([
    import('./enroll.ts'),
    import('./install.ts'),
  ]);
  try {
    const serial = await enrollBox(places, { console, code, ...(gwid === undefined ? {} : { gwid }) });
    say(`${serial} is enrolled; ${join(places.etc, 'ports.json')} says which device is which port.`);
    // where the service has a user of its own, this is that user's, and the launcher that began it starts the service
    const installed =
      process.getuid?.() === 0 && !process.env.YUNXUN_EDGE_ROOT && existsSync('/usr/lib/yunxun-edge/launch');
    if (installed && (await startService(serviceManager()))) say('The agent runs; the console shows it in a moment.');
    return exits.done;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function putInPlace(): Promise<number> {
  const { install, procdState, serviceManager } = await import('./install.ts');
  const root = process.env.YUNXUN_EDGE_ROOT ?? '/';
  const manager = serviceManager();
  // where the service will look for it, whatever the caller's environment says of it
  const there = manager === 'procd' ? placesOf({ ...process.env, YUNXUN_EDGE_STATE: procdState }) : places;
  if (root === '/' && process.getuid?.() !== 0) {
    complain('installing needs root');
    return exits.failed;
  }
  // the service's user reads what root puts in place, however careful root's shell is
  process.umask(0o022);
  try {
    const bundle = fileURLToPath(import.meta.url);
    await install({ places: there, root, bundle, node: process.execPath, manager, say });
    return exits.done;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

/** The part of installing that is done in the folders of the service's own user, as that user. */
async function adopt(): Promise<number> {
  const { adoptVersion } = await import('./install.ts');
  try {
    adoptVersion(places, fileURLToPath(import.meta.url));
    return exits.done;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return exits.failed;
  }
}

async function dryRun(file: string | undefined): Promise<number> {
  if (file === undefined) return wrong();
  const [{ readDocument }, { describe, render }, { factsOf, probeAbilities }, { readPorts }] = await Promise.all([
    import('../document/index.ts'),
    import('../render/index.ts'),
    import('./facts.ts'),
    import('./ports.ts'),
  ]);
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    complain(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return exits.failed;
  }
  const ports = readPorts(places) ?? {};
  const facts = factsOf(ports, await probeAbilities(ports.WAN1 ?? null), places);
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
  const running = asRecord<{ pid: number; online: boolean }>(readJson(join(places.run, 'status.json')));
  const versions = new Versions(places.program);
  const lives = typeof running.pid === 'number' && isAlive(running.pid);
  say(`version        ${agentVersion}${versions.previous === null ? '' : ` (before: ${versions.previous})`}`);
  if (identity === null) say('enrolment      none');
  else {
    say(`serial         ${identity.serial}`);
    say(`console        ${identity.server}:${identity.port}`);
    say(`certificate    until ${new X509Certificate(identity.certificate).validTo}`);
    say(`upgrades       ${identity.signingKey === undefined ? 'no signing key was given: none' : 'signed'}`);
  }
  say(`agent          ${lives ? `runs${running.online === true ? ', online' : ', offline'}` : 'does not run'}`);
  say(`configuration  ${applied.uuid === 0 ? 'none' : applied.uuid}`);
  if (journal !== null) say(`waits          ${journal.uuid}, until ${new Date(journal.until * 1000).toISOString()}`);
  if (returned !== null) say(`taken back     ${returned.uuid}: ${returned.reason}`);
  return identity === null ? exits.failed : exits.done;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
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
    complain(error instanceof Error ? error.message : String(error));
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
    case 'dry-run':
      return dryRun(rest[0]);
    case 'status':
      return status();
    case 'version':
      say(agentVersion);
      return exits.done;
    default:
      return wrong();
  }
}

process.exit(await main());
