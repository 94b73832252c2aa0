import { asRecord, asText } from '@yunxun/contract/device';
import type { Connect, DeviceFingerprint, FingerprintPair } from './ports.ts';

export function fingerprintOf({ capabilities, model, firmware, reason }: Connect, address: string): DeviceFingerprint {
  const named = Object.values(asRecord<Record<string, unknown>>(capabilities.macaddr));
  const mac = [capabilities.label_macaddr, ...named].map((each) => asText(each, 17)).find((each) => each !== null);
  return { address, mac: mac?.toLowerCase() ?? null, model, firmware, boot: reason };
}

const sameHardware = (a: DeviceFingerprint, b: DeviceFingerprint) => a.mac === b.mac && a.model === b.model;

export const isSameFingerprint = (a: DeviceFingerprint, b: DeviceFingerprint) =>
  a.address === b.address && sameHardware(a, b);

/** Compares hardware, or addresses of equal hardware; null if undecided. */
export function matchFingerprint(
  fingerprint: DeviceFingerprint,
  { first, second }: FingerprintPair,
): keyof FingerprintPair | null {
  const alike = sameHardware(first, second)
    ? (a: DeviceFingerprint, b: DeviceFingerprint) => a.address === b.address
    : sameHardware;
  if (alike(first, second)) return null;
  if (alike(fingerprint, first)) return 'first';
  return alike(fingerprint, second) ? 'second' : null;
}
