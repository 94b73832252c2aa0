import { compile, validate, withRevision } from '../packages/server/src/features/sdwan/compile/index.ts';
import { meshOf, starOf, treeOf } from '../packages/server/src/features/sdwan/compile/testing/plans.ts';
import { atMost, type Figure, record } from './results.ts';

/** `npx tsx bench/sdwan-compile.ts`: the SD-WAN compiler on the largest plans. */

const runs = 30;
const plans = [
  { what: 'star of 1,000 nodes', plan: starOf(1000), budget: 5 },
  { what: 'tree of 1,000 nodes', plan: treeOf(1000, 6), budget: 5 },
  { what: 'mesh of 100 nodes', plan: meshOf(100), budget: 20 },
] as const;

/** Returns milliseconds after ten warm-up runs. */
function medianMs(work: () => unknown): number {
  const times = Array.from({ length: runs + 10 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }).slice(10);
  return times.toSorted((a, b) => a - b)[runs / 2]!;
}

const show = (ms: number) => `${ms.toFixed(1)} ms`;
const figures = plans.flatMap(({ what, plan, budget }): Figure[] => {
  const { drafts } = compile(plan);
  return [
    atMost(
      `${what}: compile`,
      medianMs(() => compile(plan)),
      budget,
      show,
    ),
    { what: `${what}: check the rules`, measured: show(medianMs(() => validate(plan))) },
    {
      what: `${what}: hash all documents`,
      measured: show(medianMs(() => [...drafts.values()].map((draft) => withRevision(draft)))),
    },
  ];
});
record('sdwanCompile', figures, [
  `Medians of ${runs} runs. "Compile" holds the matrix and the documents without their hashes.`,
]);
