import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeFlowMaxRows, edgeMaxStations } from '@yunxun/contract/device';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Flow, KeptEntry } from './ledger.ts';
import { FlowStore } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-flow-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = 1_795_000_000;
const first = at * 1000;
const entry: KeptEntry = [7, 100, 200, 'Video', 1, 1];
const ledger = { keep: () => [entry], lost: 1, nobodys: 2 };
const flow = (mac: string, down: number, category: Flow['category'] = 'Video'): Flow => ({
  mac,
  category,
  down,
  up: 1,
  uses: 1,
});
const mac = (n: number) => n.toString(16).padStart(12, '0');
const open = (boot = 'boot') => new FlowStore(folder, boot, at);

describe('what is kept of flow', () => {
  it('reports at most as many stations as the console accepts, the most recently active ones', () => {
    const store = open();
    store.add(flow(mac(1), 10), at + 5000);
    for (let n = 2; n <= edgeMaxStations + 1; n += 1) store.add(flow(mac(n), 10), at + n);
    store.save(ledger, at + 6000);
    const reported = store.saved.map((station) => station.mac);
    expect(reported).toHaveLength(edgeMaxStations);
    expect(reported).toContain(mac(1));
    expect(reported).not.toContain(mac(2));
    store.add(flow(mac(2), 4), at + 7000);
    expect(store.totals.get(mac(2))?.tx).toBe(4);
  });

  it('puts rows of five minutes together, and makes one message of them', () => {
    const store = open();
    store.add(flow(mac(1), 10), at);
    store.add(flow(mac(1), 5), at + 1);
    store.add(flow(mac(1), 7), at + 900);
    store.add(flow(mac(1), 3, 'Unknown'), at);
    store.seal(ledger, at + 900);
    expect(store.waiting).toEqual([(at + 900) * 1000]);
    const { rows } = store.message((at + 900) * 1000)!;
    expect(rows.map(({ at: when, category, down, uses }) => [when % 300, category, down, uses])).toEqual([
      [0, 'Video', 15, 2],
      [0, 'Video', 7, 1],
      [0, 'Unknown', 3, 1],
    ]);
    expect(store.saved).toEqual([{ mac: mac(1), rx_bytes: 4, tx_bytes: 25 }]);
  });

  it('comes back after a kill with what was saved: rows, ledger, messages, numbers that only grow', () => {
    const before = open();
    expect(before.kept).toBeNull();
    before.add(flow(mac(1), 10), at);
    before.seal(ledger, at);
    before.add(flow(mac(1), 20), at);
    before.save(ledger, at);
    before.add(flow(mac(1), 999), at);
    expect(before.saved[0]!.tx_bytes).toBe(30);
    const after = open();
    expect(after.kept).toEqual([entry]);
    expect(after.missed).toEqual({ lost: 1, nobodys: 2 });
    expect(after.saved[0]!.tx_bytes).toBe(30);
    after.seal(ledger, at);
    expect(after.waiting).toEqual([first, first + 1]);
    expect(after.message(first + 1)!.rows[0]!.down).toBe(20);
    after.taken(first + 1);
    expect([after.waiting, open().waiting]).toEqual([[], []]);
    const last = open();
    last.add(flow(mac(1), 1), at);
    last.seal(ledger, at);
    expect(last.waiting).toEqual([first + 2]);
  });

  it('forgets connections with the boot of the kernel that had them, and nothing else', () => {
    const before = open('one');
    before.add(flow(mac(1), 10), at);
    before.save(ledger, at);
    const after = open('two');
    expect([after.kept, after.hasRows, after.saved[0]!.tx_bytes]).toEqual([[], true, 10]);
  });

  it('counts no row twice, wherever the kill comes while messages are made', () => {
    const store = open();
    const rows = edgeFlowMaxRows + 500;
    for (let n = 0; n < rows; n += 1) store.add(flow(mac(n + 1), 1), at);
    const states: string[] = [];
    const watched = {
      lost: 0,
      nobodys: 0,
      keep() {
        const copy = mkdtempSync(join(tmpdir(), 'yunxun-flow-'));
        cpSync(folder, copy, { recursive: true });
        states.push(copy);
        return [entry];
      },
    };
    store.seal(watched, at);
    expect(store.waiting).toHaveLength(2);
    for (const state of states) {
      const found = new FlowStore(state, 'boot', at);
      const saved = found.saved.length > 0 ? rows : 0;
      found.seal(ledger, at);
      const reported = found.waiting.flatMap((seq) => found.message(seq)!.rows.map((row) => row.mac));
      expect(reported.length).toBe(saved);
      expect(new Set(reported).size).toBe(reported.length);
      rmSync(state, { recursive: true });
    }
    expect(states.length).toBeGreaterThanOrEqual(3);
  });

  it('waits for the time where the clock was not set, and gives it to what was counted before', () => {
    const store = new FlowStore(folder, 'boot', 60);
    store.add(flow(mac(1), 10), 60);
    store.save(ledger, 70);
    expect(store.saved).toHaveLength(1);
    store.seal(ledger, at);
    expect(store.message(first)!.rows).toMatchObject([{ at: at - (at % 300), down: 10 }]);
  });

  it('is not stopped by files that are broken', () => {
    const store = open();
    store.add(flow(mac(1), 10), at);
    store.seal(ledger, at);
    for (const name of readdirSync(join(folder, 'flow')))
      writeFileSync(join(folder, 'flow', name), '{"rows":[{"at":-1}],');
    const after = open();
    expect(after.kept).toBeNull();
    expect(after.waiting).toEqual([first]);
    expect(after.message(first)).toBeNull();
    expect(after.waiting).toEqual([]);
    after.add(flow(mac(1), 10), at);
    after.seal(ledger, at);
    expect(after.waiting).toEqual([first + 1]);
  });

  it('stays erased, though the agent says its last words afterwards', () => {
    const store = open();
    store.add(flow(mac(1), 9), at);
    store.seal(ledger, at);
    store.erase();
    store.add(flow(mac(1), 9), at);
    store.seal(ledger, at);
    store.save(ledger, at);
    const { kept, saved, waiting } = open();
    expect([kept, saved, waiting]).toEqual([null, [], []]);
  });

  it('drops the oldest records when none are collected, and reports how many', () => {
    const store = open();
    for (let n = 0; n < 202; n += 1) {
      store.add(flow(mac(1), 9), at);
      store.seal(ledger, at);
    }
    expect(store.waiting).toHaveLength(200);
    expect([store.waiting[0], store.givenUp]).toEqual([first + 2, 20]);
  });
});
