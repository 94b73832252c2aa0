import type { PlanRedirect, PlanShape } from '../render/plan.ts';
import {
  redirectArguments,
  shapeBatch,
  type TcArguments,
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

export function unmakeShape(shape: PlanShape): Step[] {
  return unshapeArguments(shape).map(gone);
}

export function makeRedirect(redirect: PlanRedirect): Step[] {
  return [...unmakeRedirect(redirect), ...redirectArguments(redirect).map(made)];
}

export function unmakeRedirect(redirect: PlanRedirect): Step[] {
  return unredirectArguments(redirect).map(gone);
}
