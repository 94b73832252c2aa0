import type { UcentralDocument } from './compile/index.ts';
import type { Band, TxPowerCaps } from './compile/intent.ts';
import { maxRequestedPower } from './compile/power.ts';

/** Derives limits, visible only if the document requests more than any radio has. */
export function reportedTxPowerCaps(powers: ReadonlyMap<string, number>, document: UcentralDocument): TxPowerCaps {
  const caps: TxPowerCaps = {};
  for (const [name, dbm] of powers) {
    const band = name.slice(0, 2) as Band;
    const radio =
      document.radios?.find((own) => own.band === name) ?? document.radios?.find((own) => own.band === band);
    if (radio?.['tx-power'] === maxRequestedPower) caps[band] = Math.max(dbm, caps[band] ?? 0);
  }
  return caps;
}
