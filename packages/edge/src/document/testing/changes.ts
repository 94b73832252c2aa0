import type { Facts } from '../index.ts';
import { fullFacts, type Json, type JsonObject, replaced, smallDocument } from './documents.ts';

/** The small document after changes at paths (`interfaces.1.ipv4.subnet`). */
export function changed(changes: Record<string, Json>): JsonObject {
  return Object.entries(changes).reduce(
    (document, [path, value]) =>
      replaced(
        document,
        path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
        value,
      ),
    smallDocument(),
  );
}

/** Where its LAN is. */
export const lan = 'interfaces.1';
/** Our own section alone. */
export const yunxun = (section: JsonObject): Record<string, Json> => ({ 'third-party': { yunxun: section } });
/** What a box can do that lacks one ability. */
export const without = (ability: keyof Facts['abilities']): Facts => ({
  ...fullFacts,
  abilities: { ...fullFacts.abilities, [ability]: false },
});
