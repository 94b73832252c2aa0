import { NoResponder } from '../platform/bus/index.ts';
import type { PresenceStore } from '../telemetry/presence.ts';
import type { SessionContext } from './session-context.ts';
import { nodeSubject } from './subjects.ts';

export interface LostLinksOptions extends Pick<SessionContext, 'bus' | 'handlers' | 'log'> {
  links: Pick<PresenceStore, 'nodes' | 'closeNode'>;
}

/** Closes sessions of silent processes. `suspected` may exclude some. */
export async function closeLostLinks(options: LostLinksOptions, suspected: (node: string) => boolean): Promise<void> {
  const { bus, links, handlers, log } = options;
  for (const node of await links.nodes()) {
    if ((await lives(bus, node)) || !suspected(node)) continue;
    const lost = await links.closeNode(node);
    log.info({ node, links: lost.length }, 'closed the links of a process that is gone');
    for (const { accountId, serial, epoch, lastFrameAt } of lost) {
      await handlers
        .disconnected({ accountId, serial }, { at: lastFrameAt, reason: 'process-gone', epoch })
        .catch((error: unknown) => log.error({ err: error, serial }, 'lost link not told'));
    }
  }
}

/** Runs outside gateways. A process must be missed twice: it may be reconnecting to the bus. */
export function watchLostLinks(options: LostLinksOptions): () => Promise<void> {
  let missed = new Set<string>();
  return async () => {
    const missing = new Set<string>();
    await closeLostLinks(options, (node) => {
      missing.add(node);
      return missed.has(node);
    });
    missed = missing;
  };
}

async function lives(bus: SessionContext['bus'], node: string): Promise<boolean> {
  try {
    await bus.request(nodeSubject(node), null, 2000);
    return true;
  } catch (error) {
    // a slow process is alive
    return !(error instanceof NoResponder);
  }
}
