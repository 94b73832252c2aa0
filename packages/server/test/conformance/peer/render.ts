import { isTable, type Json, type Verdict } from './firmware.ts';

const bands = ['2G', '5G', '5G-lower', '5G-upper', '6G', 'HaLow'];

/**
 * As much of the access point's renderer as a configuration can fall over: no upstream interface with ports, and a radio
 * band that does not exist, reject the file; a radio block without hardware behind it is a warning, an error when strict.
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
  const warnings = radios.flatMap((radio, index) =>
    hardwareBands.includes(String(radio.band))
      ? []
      : [`[W] (In /radios/${index}) No suitable radio phy for ${radio.band}`],
  );
  if (warnings.length === 0) return { error: 0, rejected: [] };
  return { error: config.strict === true ? 2 : 1, rejected: warnings };
}
