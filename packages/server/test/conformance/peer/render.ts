import { isTable, type Verdict } from './firmware.ts';
import type { Json } from './json.ts';

const bands = ['2G', '5G', '5G-lower', '5G-upper', '6G', 'HaLow'];

/** Maximum channel width where it is below the schema's, in MHz. */
const widest: Readonly<Record<string, number>> = { '2G': 40, HaLow: 8 };

/**
 * Refuses no upstream interface with ports, or an unknown band. A radio without hardware, or with a wrong mode, is a
 * warning, an error if strict; disabled ones too, because the schema fills in HE at 80 MHz.
 */
export function renderAccessPoint(config: Json, hardwareBands: readonly string[] = ['2G', '5G']): Verdict {
  const interfaces = Array.isArray(config.interfaces) ? config.interfaces.filter(isTable) : [];
  const radios = Array.isArray(config.radios) ? config.radios.filter(isTable) : [];
  const wrong = radios.flatMap((radio, index) =>
    bands.includes(String(radio.band))
      ? []
      : [`[E] (In /radios/${index}/band) Value must be one of ${bands.join(', ')}`],
  );
  const upstream = interfaces.some(
    (entry) =>
      entry.role === 'upstream' &&
      Array.isArray(entry.ethernet) &&
      entry.ethernet.some(
        (port) => isTable(port) && Array.isArray(port['select-ports']) && port['select-ports'].length > 0,
      ),
  );
  if (!upstream) wrong.push('[E] Configuration must contain at least one valid upstream interface');
  if (wrong.length > 0) return { error: 2, rejected: wrong };
  const warnings = radios.flatMap((radio, index) => {
    const band = String(radio.band);
    if (!hardwareBands.includes(band)) return [`[W] (In /radios/${index}) No suitable radio phy for ${band}`];
    const [mode, width] = [radio['channel-mode'] ?? 'HE', Number(radio['channel-width'] ?? 80)];
    return width > (widest[band] ?? 320)
      ? [`[W] (In /radios/${index}) Selected radio does not support requested HT mode ${mode}${width}`]
      : [];
  });
  if (warnings.length === 0) return { error: 0, rejected: [] };
  return { error: config.strict === true ? 2 : 1, rejected: warnings };
}
