import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { asText, type EdgeShieldList, type EdgeShieldState, edgeShieldLimits } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';
import { dnsmasqFile } from '../apply/entries.ts';
import { runningPid } from '../apply/executor.ts';
import type { Cancel, Clock } from '../clock.ts';
import type { Plan } from '../render/plan.ts';
import type { ActionResult } from '../system.ts';
import { Counts } from './counts.ts';
import { Domains } from './domains.ts';
import { createProof, type ProofOptions } from './proof.ts';

export interface ShieldOptions {
  host: { readonly plan: Plan };
  clock: Clock;
  stateFolder: string;
  run: string;
  fetch(path: string): Promise<Buffer>;
  macOf(address: string): string | null;
  /** Runs before other domains apply: earlier queries count by the present ones. */
  beforeDomains?(): void;
  log(line: string): void;
  reload?(): void;
  proof?: Pick<ProofOptions, 'ask' | 'pause'>;
}

export interface Shield {
  settled(): void;
  queried(name: string, client: string): void;
  refused(name: string, client: string): void;
  /** Answers the tool `shield`. */
  counts(params: Readonly<Record<string, unknown>>): ActionResult & { tool?: { shield: ReturnType<Counts['next']> } };
  /** Null without a shield in the configuration. */
  state(): EdgeShieldState | null;
  stop(): void;
  erase(): void;
}

/** Milliseconds between retries, and between saves. */
const retryAfter = 60_000;
const saveEvery = 60_000;
/** Milliseconds until the resolver has read its domains, and between proofs. */
const [proofAfter, proofEvery] = [1000, 60_000];

type InUse = Pick<EdgeShieldList, 'category' | 'sha256'>;

/**
 * Writes refused domains for dnsmasq. Lists are in the state folder: restarts and failed downloads keep the last good
 * ones.
 */
export function createShield(options: ShieldOptions): Shield {
  const { host, clock, run, log } = options;
  const folder = join(options.stateFolder, 'shield');
  const noteFile = join(folder, 'in-use.json');
  const counts = new Counts(options.stateFolder);
  let domains = new Domains([], [], 0);
  let used: { category: EdgeShieldList['category']; sha256: string; domains: number }[] = [];
  let error: string | null = null;
  let stopped = false;
  let cancelRetry: Cancel = () => {};
  let cancelSave: Cancel = () => {};
  let cancelProof: Cancel = () => {};
  let refuses: boolean | null = null;
  const proof = createProof({ readLog: () => options.beforeDomains?.(), ...options.proof });
  let turn: Promise<void> = Promise.resolve();
  let written: string | null = null;

  const reload =
    options.reload ??
    (() => {
      const pid = host.plan.dnsmasq && runningPid(host.plan.dnsmasq.pid, dnsmasqFile(run));
      if (pid) process.kill(pid, 'SIGHUP');
    });

  function textOf(sha256: string): string | null {
    try {
      const bytes = readFileSync(join(folder, sha256));
      return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes.toString('latin1') : null;
    } catch {
      return null;
    }
  }

  async function download({ sha256, path }: EdgeShieldList): Promise<void> {
    const bytes = await options.fetch(path);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${path} is another list`);
    writeDurably(join(folder, sha256), bytes.toString('latin1'));
  }

  /** Uses present lists; a category without its list keeps the former. */
  function use(wanted: readonly EdgeShieldList[], allow: readonly string[], servers: string): void {
    options.beforeDomains?.();
    const before = (Array.isArray(readJson(noteFile)) ? readJson(noteFile) : []) as InUse[];
    const missing = new Set<string>();
    const own = wanted.flatMap(({ category, sha256 }) => {
      const text = textOf(sha256);
      if (text === null) missing.add(category);
      return text === null ? [] : [{ category, sha256, text }];
    });
    const kept = before.flatMap(({ category, sha256 }) => {
      const isStale = missing.has(category) && !own.some((one) => one.sha256 === sha256);
      const text = isStale ? textOf(sha256) : null;
      return text === null ? [] : [{ category, sha256, text }];
    });
    const lists = [...own, ...kept];
    domains = new Domains(lists, allow, edgeShieldLimits.domains);
    used = lists.map(({ category, sha256, text }) => ({ category, sha256, domains: linesOf(text) }));
    writeDurably(noteFile, JSON.stringify(lists.map(({ category, sha256 }) => ({ category, sha256 }))));
    const needed = new Set([...lists.map(({ sha256 }) => sha256), 'in-use.json']);
    for (const name of readdirSync(folder)) if (!needed.has(name)) rmSync(join(folder, name), { force: true });
    const next = host.plan.shield?.mode === 'block' ? domains.servers() : '';
    if (next === (written ?? readText(servers))) return;
    writeDurably(servers, next);
    // dnsmasq is another user
    chmodSync(servers, 0o644);
    written = next;
    reload();
  }

  async function settle(): Promise<void> {
    const { shield, dnsmasq } = host.plan;
    if (stopped) return;
    if (!shield || dnsmasq?.servers === undefined) {
      domains = new Domains([], [], 0);
      used = [];
      error = null;
      written = null;
      refuses = null;
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    // at once: an allow list must not wait for a download
    use(shield.lists, shield.allow, dnsmasq.servers);
    proveIn(proofAfter);
    error = null;
    const absent = shield.lists.filter(({ sha256 }) => !used.some((one) => one.sha256 === sha256));
    for (const list of absent) {
      try {
        await download(list);
      } catch (problem) {
        error = problem instanceof Error ? problem.message : String(problem);
        log(`shield: ${error}`);
      }
      if (stopped || host.plan.shield !== shield) return;
    }
    if (absent.length > 0) {
      use(shield.lists, shield.allow, dnsmasq.servers);
      proveIn(proofAfter);
    }
    if (error !== null) cancelRetry = clock.after(retryAfter, again);
  }

  function proveIn(delay: number): void {
    cancelProof();
    cancelProof = clock.after(delay, () => void prove());
  }

  async function prove(): Promise<void> {
    const { plan } = host;
    const domain = plan.shield?.mode === 'block' ? domains.example() : null;
    const proven = domain === null ? null : await proof.refuses(plan, domain);
    if (stopped || host.plan !== plan) return;
    if (proven === false && refuses !== false) log('shield: the resolver does not refuse a listed name');
    refuses = proven;
    proveIn(proofEvery);
  }

  function count(name: string, client: string, blocked: boolean): void {
    const found = host.plan.shield ? domains.find(name) : null;
    if (found === null) return;
    counts.add(Math.floor(clock.now() / 1000), found, options.macOf(client) ?? '', blocked);
  }

  function again(): void {
    cancelRetry();
    turn = turn.then(settle).catch((problem: unknown) => {
      error = String(problem);
      log(`shield: ${error}`);
    });
  }

  function save(): void {
    try {
      counts.save();
    } catch (problem) {
      log(`shield: counts cannot be kept: ${String(problem)}`);
    }
  }

  function saveAgain(): void {
    save();
    cancelSave = clock.after(saveEvery, saveAgain);
  }
  cancelSave = clock.after(saveEvery, saveAgain);

  return {
    settled: again,
    queried(name, client) {
      if (!proof.logged(name, false) && host.plan.shield?.mode === 'monitor') count(name, client, false);
    },
    refused(name, client) {
      if (!proof.logged(name, true) && host.plan.shield?.mode === 'block') count(name, client, true);
    },
    counts: (params) => ({
      error: 0,
      text: 'Success',
      tool: { shield: counts.next(asText(params.taken, 64)) },
    }),
    state() {
      const { shield } = host.plan;
      return shield ? { mode: shield.mode, lists: used, error, refuses } : null;
    },
    stop() {
      stopped = true;
      cancelRetry();
      cancelProof();
      cancelSave();
      save();
    },
    erase() {
      counts.erase();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function linesOf(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
