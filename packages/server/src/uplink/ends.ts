import type { DeviceRef, Disconnect } from './ports.ts';
import type { SessionContext } from './session-context.ts';
import { factSubject } from './subjects.ts';

/** The end of a session that held its device; without the session, which would keep its socket's memory. */
export interface SessionEnd extends Disconnect {
  device: DeviceRef;
  lastFrameAt: Date;
}

/** Writes an end and tells of it, unless a newer session holds the device. */
export async function writeEnd({ handlers, links, log, publish }: SessionContext, end: SessionEnd): Promise<void> {
  const { device, lastFrameAt, at, reason, epoch } = end;
  const held = await links.close(device, epoch, at, lastFrameAt);
  if (held) await handlers.disconnected(device, { at, reason, epoch });
  if (held) publish(factSubject(device, 'disconnected'), { at, reason, epoch });
  log.info({ serial: device.serial, reason }, 'device disconnected');
}

/**
 * Writes the ends that could not be written when they came: a device that has gone would be shown as there for as long
 * as this process lives. @throws the error of the first that cannot be written now either; it is kept for the next time
 */
export async function writeOwedEnds(context: SessionContext): Promise<void> {
  const { owedEnds } = context.registry;
  for (const [serial, end] of Array.from(owedEnds)) {
    await context.registry.inTurn(serial, () => writeEnd(context, end));
    // a newer one may have come meanwhile
    if (owedEnds.get(serial) === end) owedEnds.delete(serial);
  }
}
