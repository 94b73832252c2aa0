import type { PlanRedirect, PlanShape } from '../render/plan.ts';
import {
  classBatch,
  redirectArguments,
  rootArguments,
  shapeBatch,
  type TcArguments,
  unclassArguments,
  unredirectArguments,
  unshapeArguments,
} from '../render/shape-arguments.ts';
import type { Step } from './step.ts';

function gone(argv: TcArguments): Step {
  return { do: 'run', argv: ['tc', ...argv], fine: 'absent' };
}

function made(argv: TcArguments): Step {
  return { do: 'run', argv: ['tc', ...argv] };
}

/** Replaces the htb tree: tc cannot add a second one. */
export function makeShape(shape: PlanShape): Step[] {
  return [...unmakeShape(shape), { do: 'run', argv: ['tc', '-batch', '-'], input: shapeBatch(shape) }];
}

/** Whether classes alone differ, each in its place: a new tree would drop what is sent meanwhile. */
export function isReshaped(from: PlanShape, to: PlanShape): boolean {
  const old = new Map(from.classes.map((one) => [one.minor, one]));
  const stays = to.classes.every(({ minor, parent, queue }) => {
    const had = old.get(minor);
    return had === undefined || (had.parent === parent && (had.queue === null) === (queue === null));
  });
  return stays && from.otherwise === to.otherwise && from.untaggedOnly === to.untaggedOnly;
}

export function reshape(from: PlanShape, to: PlanShape): Step[] {
  const kept = new Set(to.classes.map(({ minor }) => minor));
  return [
    { do: 'run', argv: ['tc', ...rootArguments(to)], fine: 'exists' },
    { do: 'run', argv: ['tc', '-batch', '-'], input: classBatch(to) },
    // leaves first
    ...from.classes
      .filter(({ minor }) => !kept.has(minor))
      .toReversed()
      .map((one) => gone(unclassArguments(from, one))),
  ];
}

export function unmakeShape(shape: PlanShape): Step[] {
  return unshapeArguments(shape).map(gone);
}

export function makeRedirect(redirect: PlanRedirect): Step[] {
  return [...unmakeRedirect(redirect), ...redirectArguments(redirect).map(made)];
}

export function unmakeRedirect(redirect: PlanRedirect): Step[] {
  return unredirectArguments(redirect).map(gone);
}
