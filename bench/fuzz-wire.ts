import { WireGrammar } from '../packages/server/test/conformance/fuzz/grammar.ts';
import { check, type Tally } from '../packages/server/test/conformance/fuzz/oracle.ts';
import { type Figure, record } from './results.ts';

/**
 * `npx tsx bench/fuzz-wire.ts [inputs] [seed]`: fuzzes the wire decoder, by default a million inputs. Exits with 1 and
 * the base64 of the first violation.
 */

const inputs = Number(process.argv[2] ?? 1_000_000);
const firstSeed = Number(process.argv[3] ?? 1);
const perSeed = 10_000;
const tally: Tally = new Map();
let bytes = 0;
let slowest = { ms: 0, seed: 0, at: 0, size: 0 };
const began = performance.now();

for (let done = 0, seed = firstSeed; done < inputs; seed += 1) {
  const grammar = new WireGrammar(seed * 2_654_435_761);
  for (let at = 0; at < perSeed && done < inputs; at += 1, done += 1) {
    const frame = grammar.frame();
    bytes += frame.length;
    const start = performance.now();
    try {
      check(frame, tally);
    } catch (error) {
      console.error(`seed ${seed}, input ${at}: ${(error as Error).message}\n${frame.toString('base64')}`);
      process.exit(1);
    }
    const ms = performance.now() - start;
    if (ms > slowest.ms) slowest = { ms, seed, at, size: frame.length };
  }
}

const seconds = (performance.now() - began) / 1000;
const count = (value: number): string => value.toLocaleString('en');
const figures: Figure[] = [
  {
    what: 'inputs, none of which broke a promise',
    measured: count(inputs),
    budget: '≥ 1,000,000',
    holds: inputs >= 1_000_000,
  },
  { what: 'bytes', measured: `${(bytes / 2 ** 20).toFixed(0)} MiB` },
  { what: 'time, making the inputs included', measured: `${seconds.toFixed(0)} s` },
  { what: 'slowest input', measured: `${slowest.ms.toFixed(1)} ms (${slowest.size} bytes)` },
];
for (const [outcome, times] of [...tally].toSorted((a, b) => b[1] - a[1])) {
  figures.push({ what: `read as: ${outcome}`, measured: count(times) });
}
record('wire', figures, [
  'Inputs follow the grammar of the wire and are then bent: wrong types, numbers out of range, cut and flipped bytes, broken base64 and deflate, deep and inflating JSON. What must hold of each is in packages/server/test/conformance/fuzz/oracle.ts. The slowest input is mostly a pause of the garbage collector.',
]);
