import { configuration } from '@yunxun/contract';
import { asRecord, asTexts, type Capabilities, normaliseClientMac } from '@yunxun/contract/device';

/** Encodes JSON without NUL and lone surrogates, which PostgreSQL rejects. */

export function jsonOf(value: unknown): string {
  // valid pairs remain
  return JSON.stringify(value ?? {}).replace(/\\u(0000|d[89a-f][0-9a-f]{2})/gi, '\\ufffd');
}

/** Replaces NUL; the driver replaces lone surrogates. */
export function textOf<T extends string | null>(text: T): T {
  return (text === null ? null : text.replaceAll('\0', '\uFFFD')) as T;
}

const maxMacs = 64;

export function macsOf(capabilities: Record<string, unknown>): string[] {
  const { label_macaddr: label, macaddr } = asRecord<Capabilities>(capabilities);
  const reported = [label, ...Object.values(asRecord<Record<string, unknown>>(macaddr))];
  return [...new Set(reported.flatMap((mac) => normaliseClientMac(mac) ?? []))].slice(0, maxMacs);
}

/** Merges `5G-lower` and `5G-upper`, in order. */
export function bandsOf(capabilities: Record<string, unknown>): configuration.Band[] {
  const radios = Object.values(asRecord<Record<string, unknown>>(asRecord<Capabilities>(capabilities).wifi));
  const texts = radios.flatMap((radio) => asTexts(asRecord<{ band: unknown }>(radio).band));
  return configuration.bands.filter((band) =>
    texts.some((text) => text === band || (band === '5G' && text.startsWith(band))),
  );
}
