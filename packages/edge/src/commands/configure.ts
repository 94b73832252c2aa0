import { asNumber, type ConfigurationDocument, isCompressed, isRecord } from '@yunxun/contract/device';
import { expandParams } from '../codec.ts';
import { type CommandContext, type CommandHandler, invalidParameters, status } from './context.ts';

const words = { 0: 'Success', 1: 'Rejects', 2: 'Failed' } as const;

/**
 * Follows the firmware: the document's uuid must exceed every stored one; lower is "Already applied.". A rejected
 * document stays the newest file; the old one stays active.
 */
export const configure: CommandHandler = async (command, context) => {
  const params = readParams(command.params, context);
  if (params === null) return answer(context, command.id, invalidParameters);
  const document = params.config;
  if (!isRecord(document) || asNumber(params.uuid) === null) return answer(context, command.id, invalidParameters);
  const inner = asNumber(document.uuid);
  if (inner === null || inner === 0) {
    // firmware bug: answers with the configuration's uuid instead of the request's id
    return answer(context, context.store.active.uuid, status(2, words[2]));
  }
  const uuid = inner | 0;
  if (!context.store.isNewer(uuid)) return answer(context, command.id, status(0, 'Already applied.'));
  if (typeof params.compress === 'boolean') context.compressState(params.compress);
  await context.inTurn(async () => {
    try {
      context.store.store(uuid, document as ConfigurationDocument);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      answer(context, command.id, {
        status: { error: 2, text: words[2], rejected: [`[E] (In /) it cannot be kept: ${why}`] },
      });
      return;
    }
    const result = await context.system.apply(document as ConfigurationDocument);
    if (result.error < 2) {
      context.store.activate(uuid);
      context.reports.refresh();
    }
    const rejected = result.rejected.length > 0 ? { rejected: result.rejected } : {};
    const withheld = result.withheld === undefined ? {} : { withheld: result.withheld };
    const port53 = result.port53 === undefined ? {} : { port53: result.port53 };
    answer(context, command.id, {
      status: { error: result.error, text: words[result.error], ...rejected, ...withheld, ...port53 },
    });
  });
};

/** Omits an answer if the id could not be parsed, like the firmware. */
function answer(context: CommandContext, id: number, result: Record<string, unknown>): void {
  if (id !== 0) context.reply(id, result);
}

function readParams(params: Record<string, unknown>, context: CommandContext): Record<string, unknown> | null {
  if (!isCompressed(params)) return params;
  return context.firmware.compressedConfigure ? expandParams(params) : null;
}
