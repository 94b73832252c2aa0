import type { UcentralDocument } from './compile/index.ts';
import type { Band, Reach } from './compile/intent.ts';
import { mostAsked } from './compile/power.ts';

/**
 * What the radios reach, by their reported powers and the document that the device runs. Only a radio that is asked for
 * more than any reaches shows it: at a lower level it shows the level.
 */
export function reachShown(powers: ReadonlyMap<string, number>, document: UcentralDocument): Reach {
  const reach: Reach = {};
  for (const [name, dbm] of powers) {
    const band = name.slice(0, 2) as Band;
    const radio =
      document.radios?.find((own) => own.band === name) ?? document.radios?.find((own) => own.band === band);
    if (radio?.['tx-power'] === mostAsked) reach[band] = Math.max(dbm, reach[band] ?? 0);
  }
  return reach;
}
