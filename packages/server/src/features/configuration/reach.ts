import { asList, asNumber, asRecord, asTexts, type State } from '@yunxun/contract/device';
import type { UcentralDocument } from './compile/index.ts';
import type { Band, Reach } from './compile/intent.ts';
import { mostAsked } from './compile/power.ts';

/** What a state report says of the radios' power: dBm by the names of bands (`5G`, `5G-lower`). */
export function powersIn(state: unknown): Map<string, number> {
  const powers = new Map<string, number>();
  for (const entry of asList(asRecord<State>(state).radios)) {
    const { tx_power, band } = asRecord<{ tx_power: unknown; band: unknown }>(entry);
    const dbm = asNumber(tx_power);
    // a radio that waits for a channel says 0
    if (dbm === null || dbm < 1 || dbm > 40) continue;
    const names = typeof band === 'string' ? [band] : asTexts(band);
    for (const name of names) powers.set(name, Math.max(Math.floor(dbm), powers.get(name) ?? 0));
  }
  return powers;
}

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
