import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EdgeFlowParams, edgeFlowMethod } from '@yunxun/contract/device';
import { builtInRules } from '../../rules/categories.ts';
import type { Cancel, Clock } from '../clock.ts';
import { textOf } from '../measure/gateway-host.ts';
import { emptyLayout, type Layout } from '../measure/layout.ts';
import type { Measures } from '../measure/measures.ts';
import type { Kept } from '../measure/tools.ts';
import type { Connection } from './conntrack.ts';
import { Ledger } from './ledger.ts';
import { Names, readDnsLine } from './names.ts';
import { type Decision, type Rule, Rules, readRules, readWritten, type WrittenRule } from './rules.ts';
import { clocksBegin, FlowStore } from './store.ts';
import { Tail } from './tail.ts';
import { listConnections, watchEnds, watchNames } from './watchers.ts';

export interface FlowOptions {
  clock: Clock;
  serial: string;
  stateFolder: string;
  measures: Pick<Measures, 'ownerOf' | 'refresh' | 'flow'>;
  send(method: string, params: Record<string, unknown>): boolean;
  queried?(name: string, client: string): void;
  refused?(name: string, client: string): void;
  log(text: string): void;
  /** As rules/categories.ts; the configuration's rules come first. */
  rulesFile?: string;
  proc?: string;
  /** Milliseconds. Entries stay 10 s after the last packet, so lists catch all bytes even without end events. */
  listEvery?: number;
  /** Milliseconds between messages. */
  tellEvery?: number;
}

export interface EdgeFlow {
  start(): void;
  stop(): void;
  configured(layout: Layout, rules: readonly WrittenRule[]): void;
  online(): void;
  taken(seq: number): void;
  readQueryLog(): void;
  bytesOf(mac: string): { rx: number; tx: number };
  count(): Promise<void>;
  tell(): void;
  erase(): void;
}

/** The oldest are dropped. */
const maxNames = 5000;
/** Milliseconds without a setting. */
const slowest = 25_000;
/** Milliseconds. */
const resendAfter = 60_000;

export function createFlow(options: FlowOptions): EdgeFlow {
  const { clock, measures, log, proc = '/proc', listEvery = 9000, tellEvery = 60_000 } = options;
  const seconds = () => Math.floor(clock.now() / 1000);
  const store = new FlowStore(options.stateFolder, textOf(join(proc, 'sys/kernel/random/boot_id')), seconds());
  const names = new Names();
  const values = new Map<string, string>();
  const comes: Rule[] = readRules(builtInRules).rules;
  let rules = new Rules([comes]);
  let tail: Tail | null = null;
  let layout: Layout = emptyLayout;
  let running = false;
  let unknownOwner = false;
  let ends: Kept | null = null;
  const captures = new Map<string, Kept>();
  let cancels: Cancel[] = [];
  let counting: Promise<void> | null = null;
  let sent: { seq: number; at: number } | null = null;

  const ledger = new Ledger(
    {
      ownerOf(address) {
        const owner = measures.ownerOf(address);
        if (owner === 'later') unknownOwner = true;
        return owner;
      },
      decide,
      flow: (flow) => store.add(flow, seconds()),
    },
    store.kept,
  );

  function decide({ protocol, original }: Connection): Decision {
    const { src, dst, sport, dport } = original;
    const traits = { protocol, port: dport };
    const hello = values.get(`${src} ${sport} ${dst} ${dport}`) ?? null;
    const byHello = rules.categoryOf({ ...traits, name: hello });
    if (byHello.byName) return byHello;
    const now = clock.now();
    return rules.categoryOf({ ...traits, name: names.nameOf(identify(src), dst, now) ?? names.nameOf(src, dst, now) });
  }

  /** Prefers the MAC: a client may resolve over IPv6 and connect over IPv4. */
  function identify(address: string): string {
    const owner = measures.ownerOf(address);
    return owner === 'none' || owner === 'later' ? address : owner;
  }

  function readQueryLog(): void {
    tail?.read();
  }

  function capture(): void {
    const wanted = new Set(
      layout.interfaces.flatMap(({ role, device }) => (role === 'downstream' && running ? [device] : [])),
    );
    for (const [device, kept] of captures)
      if (!wanted.has(device)) {
        kept.stop();
        captures.delete(device);
      }
    for (const device of wanted) {
      if (captures.has(device)) continue;
      captures.set(
        device,
        watchNames(clock, device, ({ client, clientPort, server, serverPort, name }) => {
          const key = `${client} ${clientPort} ${server} ${serverPort}`;
          values.delete(key);
          values.set(key, name);
          if (values.size > maxNames) values.delete(values.keys().next().value!);
        }),
      );
    }
  }

  async function list(): Promise<void> {
    if (unknownOwner) {
      unknownOwner = false;
      await measures.refresh();
    }
    readQueryLog();
    ledger.beginList();
    ledger.endList(await listConnections(ledger, proc));
    if (store.isFull && seconds() >= clocksBegin) store.seal(ledger, seconds());
  }

  const count = () => {
    counting ??= list().finally(() => {
      counting = null;
    });
    return counting;
  };

  function tell(): void {
    // rows accumulate while messages are pending
    if (store.hasRows && store.waiting.length === 0 && seconds() >= clocksBegin) store.seal(ledger, seconds());
    else store.save(ledger, seconds());
    pass();
  }

  function pass(): void {
    const [seq] = store.waiting;
    if (seq === undefined || (sent?.seq === seq && clock.now() - sent.at < resendAfter)) return;
    const message = store.message(seq);
    if (!message) {
      pass();
      return;
    }
    const params: EdgeFlowParams = { serial: options.serial, ...message };
    if (options.send(edgeFlowMethod, { ...params })) sent = { seq, at: clock.now() };
  }

  function every(slot: number, period: number, act: () => void | Promise<void>): void {
    const again = async () => {
      const began = clock.now();
      try {
        await act();
      } catch (error) {
        // counting continues on a full disk
        log(`flow: ${String(error)}`);
      }
      const pause = Math.max(period, Math.min(slowest, (clock.now() - began) * 50));
      if (running) cancels[slot] = clock.after(pause, () => void again());
    };
    cancels[slot] = clock.after(period, () => void again());
  }

  const bytesOf = (mac: string) => store.totals.get(mac) ?? { rx: 0, tx: 0 };
  measures.flow({
    // saved values: counters must not fall after a crash
    stations: () => store.saved,
    bytesOf,
    state: () => ({
      lost: store.missed.lost + ledger.lost,
      nobodys: store.missed.nobodys + ledger.nobodys,
      waiting: store.waiting.length,
      given_up: store.givenUp,
    }),
  });

  return {
    start() {
      running = true;
      for (const name of ['acct', 'events'])
        try {
          writeFileSync(join(proc, `sys/net/netfilter/nf_conntrack_${name}`), '1\n');
        } catch (error) {
          log(`nf_conntrack_${name} cannot be set: ${String(error)}`);
        }
      ends = watchEnds(clock, {
        batch: readQueryLog,
        end: (connection) => ledger.end(connection),
        gap: (reason) => log(`conntrack ended, ends of connections may be missed: ${reason}`),
      });
      capture();
      void count().catch((error: unknown) => log(`flow: ${String(error)}`));
      every(0, listEvery, count);
      every(1, tellEvery, tell);
    },
    stop() {
      running = false;
      for (const cancel of cancels) cancel();
      cancels = [];
      ends?.stop();
      capture();
      store.save(ledger, seconds());
    },
    configured(next, written) {
      layout = next;
      if (next.queries !== tail?.path)
        tail =
          next.queries === null
            ? null
            : new Tail(next.queries, (line) => {
                const read = readDnsLine(line);
                if (read === null) return;
                names.take({ ...read, client: identify(read.client) }, clock.now());
                if (read.kind === 'query') options.queried?.(read.name, read.client);
                if (read.kind === 'refused') options.refused?.(read.name, read.client);
              });
      rules = new Rules([readWritten(written), ownRules(options), comes]);
      capture();
    },
    online() {
      sent = null;
      pass();
    },
    taken(seq) {
      store.taken(seq);
      pass();
    },
    readQueryLog,
    bytesOf,
    count,
    tell,
    erase: () => store.erase(),
  };
}

function ownRules({ rulesFile, log }: FlowOptions): Rule[] {
  if (rulesFile === undefined) return [];
  let text: string;
  try {
    text = readFileSync(rulesFile, 'utf8');
  } catch {
    return [];
  }
  const { rules, wrong } = readRules(text);
  for (const one of wrong.slice(0, 5)) log(`${rulesFile}:${one.line}: "${one.text.slice(0, 80)}" is no rule`);
  return rules;
}
