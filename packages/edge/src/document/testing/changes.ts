import type { Facts } from '../index.ts';
import { fullFacts, type Json, type JsonObject, replaced, smallDocument } from './documents.ts';

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

export const lan = 'interfaces.1';
export const yunxun = (section: JsonObject): Record<string, Json> => ({ 'third-party': { yunxun: section } });
export const without = (ability: keyof Facts['abilities']): Facts => ({
  ...fullFacts,
  abilities: { ...fullFacts.abilities, [ability]: false },
});
