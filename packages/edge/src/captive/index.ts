import type { LookupFunction } from 'node:net';
import {
  asList,
  asRecord,
  asText,
  captiveForms,
  type EdgeCaptiveState,
  edgeCaptiveLimits,
  openingAt,
} from '@yunxun/contract/device';
import { runTool } from '../apply/executor.ts';
import type { ToolResult } from '../apply/step.ts';
import type { Cancel, Clock } from '../clock.ts';
import { type Admission, admit, admitPayer, expel, openForAll } from '../render/captive.ts';
import type { Plan } from '../render/plan.ts';
import type { ActionResult } from '../system.ts';
import { type Grant, Grants, readRate } from './grants.ts';
import { createListener } from './listener.ts';
import { createRates } from './rates.ts';
import { createRedirector, type MacOf, macOfNeighbour } from './redirector.ts';
import { createRelay } from './relay.ts';

export interface CaptiveOptions {
  host: { readonly plan: Plan };
  clock: Clock;
  stateFolder: string;
  bytesOf(mac: string): { rx: number; tx: number };
  disconnect(macs: readonly string[]): Promise<void>;
  log(line: string): void;
  run?(argv: readonly [string, ...string[]], options?: { input?: string }): Promise<ToolResult>;
  macOf?: MacOf;
  port?: number;
  relayPort?: number;
  lookup?: LookupFunction;
  limitsRates?: boolean;
}

export interface Captive {
  settled(): Promise<void>;
  /** Makes the kernel's set equal to the grants. */
  look(): Promise<void>;
  command(params: Readonly<Record<string, unknown>>): Promise<ActionResult>;
  /** The agent starts away from its console. */
  console(online: boolean): void;
  /** Null without captive networks. */
  state(): EdgeCaptiveState | null;
  stop(): void;
  erase(): Promise<void>;
}

const done: ActionResult = { error: 0, text: 'Success' };
/** Milliseconds; the clock may have been set. */
const checkEvery = 30_000;

/** Milliseconds after which the console counts as away. */
const awayAfter = 60_000;
/** Seconds for which networks stay open without a renewal: an agent that died opens nothing. */
const openFor = 90;
/** Milliseconds: a guest who signs out needs its connection for the answer; the kernel drops all others. */
const cutAfter = 2000;

/** The kernel ends grants by itself; on disk they survive restarts without the console. */
export function createCaptive(options: CaptiveOptions): Captive {
  const { host, clock, log, bytesOf, disconnect, run = runTool, port = edgeCaptiveLimits.port } = options;
  const grants = new Grants(options.stateFolder);
  const rates = createRates({ able: options.limitsRates ?? false, run });
  let cancelCheck: Cancel = () => {};
  let turn: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let awaySince: number | null = clock.now();
  let isOpen = false;
  const { macOf = macOfNeighbour, relayPort = edgeCaptiveLimits.relayPort, lookup } = options;
  const plan = () => host.plan.captive;
  const shared = { clock, log };
  const listeners = [
    createListener({
      ...shared,
      port,
      make: () => createRedirector(plan, macOf),
      isWanted: () => !stopped && plan() !== undefined,
    }),
    createListener({
      ...shared,
      port: relayPort,
      make: () => createRelay({ captive: plan, macOf, clock, ...(lookup ? { lookup } : {}) }),
      isWanted: () => !stopped && plan()?.relays === true,
    }),
  ];
  const seconds = () => Math.floor(clock.now() / 1000);
  const bridged = () => plan()?.bridges === true;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function nft(input: string): Promise<void> {
    if (input === '') return;
    const { code, stderr } = await run(['nft', '-f', '-'], { input });
    if (code !== 0) throw new Error(`nft: ${stderr.trim()}`);
  }

  const admissionOf = ({ mac, until }: Grant): Admission => ({
    mac,
    seconds: until === null ? null : until - seconds(),
  });

  /** Null without the tables. */
  async function present(): Promise<{ all: ReadonlySet<string>; any: ReadonlySet<string> } | null> {
    const sets: string[][] = [];
    for (const family of bridged() ? ['inet', 'bridge'] : ['inet']) {
      const { code, stdout } = await run(['nft', '-j', 'list', 'set', family, 'yunxun_captive', 'guests']);
      if (code !== 0) return null;
      sets.push(readMacs(stdout));
    }
    const any = new Set(sets.flat());
    return { any, all: new Set([...any].filter((mac) => sets.every((set) => set.includes(mac)))) };
  }

  /** Removes from the kernel too; ends connections. */
  async function remove(macs: readonly string[]): Promise<void> {
    if (macs.length === 0) return;
    attempt(() => grants.remove(macs));
    try {
      await nft(expel(macs, bridged()));
    } finally {
      await disconnect(macs);
    }
  }

  async function revoke(mac: string): Promise<void> {
    attempt(() => grants.remove([mac]));
    try {
      await nft(expel([mac], bridged()));
    } finally {
      clock.after(cutAfter, () => {
        const cut = inTurn(async () => (grants.of(mac) ? undefined : disconnect([mac])));
        cut.catch((error: unknown) => log(`captive: ${String(error)}`));
      });
    }
  }

  const devices = () => host.plan.captive?.devices ?? [];

  /** A guest without a limit is better than one without network. */
  async function limit(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => log(`captive: ${String(error)}`));
  }

  /** Opens the networks while the console is away, if the template says so. */
  async function alignAway(): Promise<void> {
    const away = host.plan.captive?.away;
    const since = away && awaySince;
    const isAway = typeof since === 'number' && clock.now() - since >= awayAfter;
    const opens = isAway && openingAt(away!.hours, away!.zone, clock.now()).open;
    if (!opens && !isOpen) return;
    if (opens !== isOpen) log(opens ? 'captive: open while the console is away' : 'captive: guests sign in again');
    await nft(openForAll(opens ? openFor : null, bridged()));
    isOpen = opens;
  }

  async function align(): Promise<void> {
    if (host.plan.captive === undefined) return;
    await remove(grants.over(seconds()));
    const there = await present();
    if (there === null) return;
    const wanted = new Set(grants.all.map(({ mac }) => mac));
    const missing = grants.all.filter(({ mac }) => !there.all.has(mac));
    const gone = [...there.any].filter((mac) => !wanted.has(mac));
    await nft(admit(missing.map(admissionOf), bridged()) + expel(gone, bridged()));
    await limit(rates.align(devices(), grants.all));
    await alignAway();
  }

  function check(): void {
    cancelCheck();
    if (stopped || host.plan.captive === undefined) return;
    const ends = grants.all.flatMap(({ until }) => (until === null ? [] : [until * 1000 - clock.now()]));
    const away = awaySince === null ? checkEvery : awaySince + awayAfter - clock.now();
    const next = Math.min(checkEvery, away > 0 ? away : checkEvery, ...ends);
    cancelCheck = clock.after(Math.max(50, next), () => void look());
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      log(`captive: ${String(error)}`);
    }
  }

  async function look(): Promise<void> {
    await inTurn(align).catch((error: unknown) => log(`captive: ${String(error)}`));
    check();
  }

  async function grant({ ticket, mac, time, upKbps, downKbps }: GrantRequest): Promise<ActionResult> {
    if (grants.isFullFor(mac)) return { error: 1, text: 'too many guests' };
    const before = grants.of(mac);
    // an extension goes on counting
    const { rx, tx } = before?.ticket === ticket ? before : bytesOf(mac);
    const own: Grant = { ticket, mac, until: time === null ? null : seconds() + time, rx, tx, upKbps, downKbps };
    grants.put(own);
    try {
      await nft(admit([admissionOf(own)], bridged()));
      const isLimited = [own, before].some((one) => one && (one.upKbps > 0 || one.downKbps > 0));
      if (isLimited) await limit(rates.change(devices(), grants.all, own));
      return done;
    } catch (error) {
      if (before) grants.put(before);
      else grants.remove([mac]);
      throw error;
    }
  }

  async function pass(params: Readonly<Record<string, unknown>>): Promise<ActionResult> {
    const asked = readPayPass(params);
    if (asked === null) return { error: 2, text: 'invalid parameters' };
    if (!host.plan.captive?.pay) return { error: 1, text: 'no host is open for payments' };
    try {
      await inTurn(() => nft(admitPayer(asked.mac, asked.seconds)));
      return done;
    } catch (error) {
      return { error: 1, text: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    async settled() {
      for (const listener of listeners) listener.align();
      if (host.plan.captive === undefined) {
        cancelCheck();
        // the deleted table took its open networks along
        isOpen = false;
        await inTurn(() => limit(rates.align([], [])));
        return;
      }
      await look();
    },
    look,
    console(online) {
      if (online === (awaySince === null)) return;
      awaySince = online ? null : clock.now();
      if (isOpen) void look();
      else check();
    },
    async command(params) {
      if (params.op === 'pass') return pass(params);
      const request = readCaptiveCommand(params);
      if (request === null) return { error: 2, text: 'invalid parameters' };
      const { op, ticket, mac } = request;
      const isCaptive = host.plan.captive !== undefined;
      if (op === 'grant' && !isCaptive) return { error: 1, text: 'no network is captive' };
      try {
        return await inTurn(async () => {
          if (op === 'grant') return grant(request);
          const own = grants.of(mac);
          if (own?.ticket !== ticket) return done;
          // without captive networks the kernel has no set
          if (isCaptive) await revoke(mac);
          else grants.remove([mac]);
          if (own.upKbps > 0 || own.downKbps > 0) await limit(rates.align(devices(), grants.all));
          return done;
        });
      } catch (error) {
        return { error: 1, text: error instanceof Error ? error.message : String(error) };
      } finally {
        check();
      }
    },
    state() {
      if (host.plan.captive === undefined) return null;
      const now = seconds();
      return {
        guests: grants.all
          .filter(({ until }) => until === null || until > now)
          .map(({ ticket, mac, until, rx, tx }) => {
            const bytes = bytesOf(mac);
            // restarted counters count from zero
            const since = (all: number, before: number) => (all >= before ? all - before : all);
            return { ticket, mac, until, rx_bytes: since(bytes.rx, rx), tx_bytes: since(bytes.tx, tx) };
          }),
      };
    },
    stop() {
      stopped = true;
      cancelCheck();
      for (const listener of listeners) listener.close();
    },
    async erase() {
      await inTurn(async () => {
        grants.remove(grants.all.map(({ mac }) => mac));
        await limit(rates.align([], []));
      });
    },
  };
}

interface GrantRequest {
  ticket: string;
  mac: string;
  /** Seconds; null: no limit. */
  time: number | null;
  upKbps: number;
  downKbps: number;
}

const isUnicast = (mac: string) => /^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$/.test(mac) && mac !== '00:00:00:00:00:00';

export function readPayPass({ mac, seconds }: Readonly<Record<string, unknown>>) {
  const of = asText(mac, 17);
  const isTime = Number.isSafeInteger(seconds) && (seconds as number) > 0;
  if (of === null || !isUnicast(of) || !isTime || (seconds as number) > edgeCaptiveLimits.paySeconds) return null;
  return { mac: of, seconds: seconds as number };
}

export function readCaptiveCommand(params: Readonly<Record<string, unknown>>) {
  const { op, ticket, mac, seconds, up_kbps: up, down_kbps: down } = params;
  const [upKbps, downKbps] = [readRate(up), readRate(down)];
  if (upKbps === null || downKbps === null) return null;
  const [own, of] = [asText(ticket, 64), asText(mac, 17)];
  if ((op !== 'grant' && op !== 'revoke') || own === null || !captiveForms.ticket.test(own)) return null;
  if (of === null || !isUnicast(of)) return null;
  const isTime = Number.isSafeInteger(seconds) && (seconds as number) > 0;
  if (op === 'grant' && seconds !== null && !(isTime && (seconds as number) <= edgeCaptiveLimits.seconds)) return null;
  return { op, ticket: own, mac: of, time: isTime ? (seconds as number) : null, upKbps, downKbps } as const;
}

function readMacs(text: string): string[] {
  let listed: unknown = null;
  try {
    listed = JSON.parse(text);
  } catch {
    // an unreadable listing is an empty one
  }
  const { nftables } = asRecord<{ nftables: unknown }>(listed);
  return asList(nftables)
    .flatMap((entry) => asList(asRecord<{ elem: unknown }>(asRecord<{ set: unknown }>(entry).set).elem))
    .flatMap((member) => {
      const timed = asRecord<{ elem: unknown }>(member).elem;
      return asText(timed === undefined ? member : asRecord<{ val: unknown }>(timed).val, 17) ?? [];
    });
}
