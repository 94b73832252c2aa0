import type { SessionEnd } from './ports.ts';
import type { SessionContext } from './session-context.ts';
import { factSubject } from './subjects.ts';

/** Publishes unless a newer session is open. */
export async function writeEnd({ handlers, links, log, publish }: SessionContext, end: SessionEnd): Promise<void> {
  const { device, lastFrameAt, at, reason, epoch } = end;
  const held = await links.close(device, epoch, at, lastFrameAt);
  if (held) await handlers.disconnected(device, { at, reason, epoch });
  if (held) publish(factSubject(device, 'disconnected'), { at, reason, epoch });
  log.info({ serial: device.serial, reason }, 'device disconnected');
}

/** Retries failed writes, without which devices would stay online. @throws the first error; its end is kept */
export async function writeOwedEnds(context: SessionContext): Promise<void> {
  const { owedEnds } = context.registry;
  for (const [serial, end] of Array.from(owedEnds)) {
    await context.registry.inTurn(serial, () => writeEnd(context, end));
    // a newer end may have replaced it
    if (owedEnds.get(serial) === end) owedEnds.delete(serial);
  }
}
