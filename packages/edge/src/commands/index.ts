import { type ControllerMethod, edgeToolMethod } from '@yunxun/contract/device';
import { factory, leds, packages, reboot, rrm, upgrade } from './actions.ts';
import { configure } from './configure.ts';
import type { CommandHandler } from './context.ts';
import { event, fingerprint, ping, request, rtty, script, telemetry, tool, trace, wifiscan } from './observe.ts';

export const commandHandlers: Readonly<Partial<Record<ControllerMethod, CommandHandler>>> = {
  configure,
  ping,
  request,
  reboot,
  factory,
  upgrade,
  leds,
  wifiscan,
  trace,
  event,
  telemetry,
  script,
  rrm,
  fingerprint,
  rtty,
  package: packages,
  [edgeToolMethod]: tool,
};
