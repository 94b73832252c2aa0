import { WireGrammar } from '../packages/server/test/conformance/fuzz/grammar.ts';
import { check, type Tally } from '../packages/server/test/conformance/fuzz/oracle.ts';

/**
 * Fuzz of the device wire's decoder: `npx tsx bench/fuzz-wire.ts [inputs] [seed]`. A million inputs by default; prints
 * the outcomes and the slowest input, and ends with status 1 at the first broken promise, with the input in base64.
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
console.log(`${inputs} inputs, ${(bytes / 2 ** 20).toFixed(0)} MiB, ${seconds.toFixed(0)} s, no promise broken`);
console.log(`slowest: ${slowest.ms.toFixed(1)} ms (seed ${slowest.seed}, input ${slowest.at}, ${slowest.size} bytes)`);
for (const [outcome, count] of [...tally].toSorted((a, b) => b[1] - a[1]))
  console.log(`${String(count).padStart(9)}  ${outcome}`);
