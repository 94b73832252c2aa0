import { portal as contract, type DataOf } from '@yunxun/contract';
import type { GateState } from '../../configuration/index.ts';

type GateCheck = DataOf<typeof contract.check>['access_points'][number];
type Found = Omit<GateCheck['steps'][number], 'step'>;

const fine: Found = { state: 'ok', finding: 'fine' };
const unneeded: Found = { state: 'unneeded', finding: 'unneeded' };
const wrong = (finding: Found['finding']): Found => ({ state: 'wrong', finding });
const unknown = (finding: Found['finding']): Found => ({ state: 'unknown', finding });

export interface GateTraces {
  redirect: Date | null;
  radius: Date | null;
}

export function checkGate(gate: GateState, { redirect, radius }: GateTraces): GateCheck {
  const { serial, name } = gate;
  const document = documentOf(gate);
  const applied = appliedOf(gate);
  const isIn = document.state === 'ok' && applied.state === 'ok';
  const found: Record<GateCheck['steps'][number]['step'], Found> = {
    document,
    applied: document.state === 'ok' ? applied : unneeded,
    read_back: isIn ? readBackOf(gate) : unneeded,
    redirect: isIn ? (redirect ? fine : unknown('no_redirect')) : unneeded,
    radius: isIn ? (radius ? fine : unknown('no_radius')) : unneeded,
  };
  return { serial, name, steps: contract.gateSteps.map((step) => ({ step, ...found[step] })) };
}

function documentOf({ isAble, isSent, leftOut }: GateState): Found {
  if (!isAble) return wrong('unable');
  if (leftOut) return wrong('left_out');
  return isSent ? fine : wrong('no_ssid');
}

function appliedOf({ push, isOnline }: GateState): Found {
  if (push === 'applied') return fine;
  if (push === 'refused') return wrong('refused');
  return isOnline ? unknown('waits') : unknown('offline');
}

const readBackOf = ({ isReadBack, isOnline }: GateState): Found =>
  isReadBack ? fine : unknown(isOnline ? 'not_reported' : 'offline');
