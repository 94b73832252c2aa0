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

/** Puts the tree of limits at a device; a tree of ours that is there already goes first, for trees cannot be laid over each other. */
export function makeShape(shape: PlanShape): Step[] {
  return [...unmakeShape(shape), { do: 'run', argv: ['tc', '-batch', '-'], input: shapeBatch(shape) }];
}

/** Takes it away. */
export function unmakeShape(shape: PlanShape): Step[] {
  return unshapeArguments(shape).map(gone);
}

/** Leads what comes in at a device through another; one that is there already goes first. */
export function makeRedirect(redirect: PlanRedirect): Step[] {
  return [...unmakeRedirect(redirect), ...redirectArguments(redirect).map(made)];
}

/** Takes it away. */
export function unmakeRedirect(redirect: PlanRedirect): Step[] {
  return unredirectArguments(redirect).map(gone);
}
