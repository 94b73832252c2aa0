import type { Figure } from '../results.ts';
import { expectDone, type Owner, post } from './client.ts';
import { cpuOf, cpuOfFamily } from './process.ts';
import { inParallel, ms, quantile } from './stats.ts';

export interface Asked {
  name: string;
  path: string;
  body: object;
}

export interface Asker {
  url: string;
  serverPid: number;
  databasePid: number;
}

const calls = process.env.BENCH_DRY
  ? { warm: 2, alone: 5, together: 10, width: 10 }
  : { warm: 5, alone: 40, together: 60, width: 10 };
const budgetOfLists = { p50: 30, p95: 150, crowded: 150 };

export const howMeasured = `p50 and p95 over HTTP, row security and all: ${calls.alone} calls one after the other, then ${calls.together} calls ${calls.width} at a time. The budget is for one call at a time; at ten at a time the p95 has to hold. CPU: of the program and of the database, per call; what others do on the machine hardly changes it.`;

export async function measureEndpoint(
  asker: Asker,
  accountKind: string,
  owner: Owner,
  asked: Asked,
  budget = budgetOfLists,
): Promise<Figure> {
  const cpuUsed = () => ({ program: cpuOf(asker.serverPid), database: cpuOfFamily(asker.databasePid) });
  const call = async () => {
    const began = performance.now();
    await expectDone(post(asker.url, asked.path, asked.body, owner.token));
    return performance.now() - began;
  };
  for (let at = 0; at < calls.warm; at += 1) await call();
  const alone: number[] = [];
  for (let at = 0; at < calls.alone; at += 1) alone.push(await call());
  const before = cpuUsed();
  const together = await inParallel(Array.from({ length: calls.together }), calls.width, call);
  const after = cpuUsed();
  const [p50, p95, crowded] = [quantile(alone, 0.5), quantile(alone, 0.95), quantile(together, 0.95)];
  const cpu = (['program', 'database'] as const).map((part) => ms((after[part] - before[part]) / calls.together));
  const measured = `${ms(p50)} / ${ms(p95)}; ${calls.width} at a time ${ms(quantile(together, 0.5))} / ${ms(crowded)}; CPU ${cpu.join(' + ')}`;
  console.log(`${accountKind} ${asked.name}: ${measured}`);
  return {
    what: `${accountKind}: ${asked.name}`,
    measured,
    budget: `≤ ${budget.p50} / ${budget.p95} ms`,
    holds: p50 <= budget.p50 && p95 <= budget.p95 && crowded <= budget.crowded,
  };
}
