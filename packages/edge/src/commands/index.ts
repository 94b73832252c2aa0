import type { ControllerMethod } from '@yunxun/contract/device';
import { factory, leds, packages, reboot, rrm, upgrade } from './actions.ts';
import { configure } from './configure.ts';
import type { CommandHandler } from './context.ts';
import { event, fingerprint, ping, request, script, telemetry, trace, wifiscan } from './observe.ts';

/** What each command does; which of them a device knows is its firmware's matter. */
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
  package: packages,
};
