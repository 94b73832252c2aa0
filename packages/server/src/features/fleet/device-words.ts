import { configuration } from '@yunxun/contract';
import { asRecord, asTexts, type Capabilities } from '@yunxun/contract/device';

/**
 * What a device says, in a form that PostgreSQL takes: its text and jsonb hold neither NUL nor half a surrogate pair,
 * both of which JSON allows.
 */

/** JSON of anything a device sent. */
export function jsonOf(value: unknown): string {
  // JSON.stringify escapes of these only, so a pair that belongs together is never touched
  return JSON.stringify(value ?? {}).replace(/\\u(0000|d[89a-f][0-9a-f]{2})/gi, '\\ufffd');
}

/** The same for plain text; the driver itself writes half a pair as U+FFFD. */
export function textOf<T extends string | null>(text: T): T {
  return (text === null ? null : text.replaceAll('\0', '\uFFFD')) as T;
}

/** The bands that a device has radios for, in order; `5G-lower` and `5G-upper` are one. */
export function bandsOf(capabilities: Record<string, unknown>): configuration.Band[] {
  const radios = Object.values(asRecord<Record<string, unknown>>(asRecord<Capabilities>(capabilities).wifi));
  const said = radios.flatMap((radio) => asTexts(asRecord<{ band: unknown }>(radio).band));
  return configuration.bands.filter((band) =>
    said.some((text) => text === band || (band === '5G' && text.startsWith(band))),
  );
}
