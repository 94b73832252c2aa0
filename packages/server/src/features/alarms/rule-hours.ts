import { maintenance } from '../fleet/index.ts';
import type { Facts } from './facts.ts';
import type { Rules } from './rules.ts';

export function rulesActiveFrom(rules: Rules, zone: string): Facts['activeFrom'] {
  return (problem, at) => {
    const hours = rules.at(problem.kind, problem).hours;
    if (!hours) return at;
    const now = hours.map((one) => maintenance.windowAt(one, zone, new Date(at)));
    return now.some(({ open }) => open) ? at : Math.min(...now.map(({ changesAt }) => changesAt.getTime()));
  };
}
