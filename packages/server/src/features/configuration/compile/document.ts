import { createHash } from 'node:crypto';
import type { ConfigurationDocument, EdgeSection } from '@yunxun/contract/device';

/** A radio of the document; `channel-width` in MHz, `tx-power` in dBm. */
export interface DocumentRadio {
  band: string;
  channel?: number | 'auto';
  'channel-mode'?: string;
  'channel-width'?: number;
  country?: string;
  enable?: boolean;
  'tx-power'?: number;
}

export interface DocumentSsid {
  name: string;
  'wifi-bands': string[];
  'bss-mode': 'ap';
  'hidden-ssid'?: boolean;
  'isolate-clients'?: boolean;
  'maximum-clients'?: number;
  encryption: { proto: string; key?: string; ieee80211w?: string };
  /** Who may not associate. */
  'access-control-list'?: { mode: 'deny'; 'mac-address': string[] };
  'rate-limit'?: { 'ingress-rate': number; 'egress-rate': number };
  /** 802.11r. */
  roaming?: { 'message-exchange': 'air'; 'generate-psk': boolean };
  /** 802.11k. */
  rrm?: { 'neighbor-reporting': true };
  /** dBm below which nobody is let in, and below which one is sent away. */
  'quality-thresholds'?: { 'association-request-rssi': number; 'client-kick-rssi': number };
}

export interface DocumentInterface {
  name: string;
  role: 'upstream' | 'downstream';
  /** Rank of a line; lower is preferred. */
  metric?: number;
  services?: string[];
  vlan?: { id: number; proto?: string };
  ethernet?: { 'select-ports': string[]; 'vlan-tag'?: 'tagged' | 'un-tagged' | 'auto' }[];
  ipv4?: Record<string, unknown>;
  ssids?: DocumentSsid[];
}

/** A uCentral document without its number: the caller puts that in when it is sent (`withUuid`). */
export interface UcentralDocument {
  unit: Record<string, unknown>;
  ethernet?: Record<string, unknown>[];
  switch?: Record<string, unknown>;
  radios?: DocumentRadio[];
  interfaces: DocumentInterface[];
  services?: Record<string, unknown>;
  metrics: Record<string, unknown>;
  /** What our own agent does beyond uCentral. */
  'third-party'?: { yunxun: EdgeSection };
}

/** JSON with every object's keys sorted: equal documents are equal bytes. */
export function canonical(document: unknown): string {
  return JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** SHA-256 of a document without its number, in hexadecimal: what makes two of them equal. */
export function fingerprint(document: UcentralDocument): string {
  return createHash('sha256').update(canonical(document)).digest('hex');
}

/** The document as it goes to the device. The same number belongs into the command's own parameters. */
export function withUuid(document: UcentralDocument, uuid: number): ConfigurationDocument {
  return { uuid, ...document };
}

/** Bytes of the whole `configure` frame around a document, a little rounded up. */
export function frameBytes(document: UcentralDocument): number {
  return Buffer.byteLength(canonical(document)) + 256;
}
