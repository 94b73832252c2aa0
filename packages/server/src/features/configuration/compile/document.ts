import { createHash } from 'node:crypto';
import type { ConfigurationDocument, EdgeSection, UamCaptive } from '@yunxun/contract/device';

/** `channel-width` in MHz, `tx-power` in dBm. */
export interface DocumentRadio {
  band: string;
  channel?: number | 'auto';
  'channel-mode'?: string;
  'channel-width'?: number;
  country?: string;
  enable?: boolean;
  'tx-power'?: number;
}

export interface DocumentRadiusServer {
  host: string;
  port: number;
  secret: string;
}

export interface DocumentSsid {
  name: string;
  services?: ['captive'];
  'wifi-bands': string[];
  'bss-mode': 'ap';
  'hidden-ssid'?: boolean;
  'isolate-clients'?: boolean;
  'maximum-clients'?: number;
  encryption: { proto: string; key?: string; ieee80211w?: string };
  /** Missing in documents of older consoles and of devices. */
  'access-control-list'?: { mode: 'deny'; 'mac-address': string[] };
  radius?: {
    authentication?: DocumentRadiusServer;
    accounting?: DocumentRadiusServer & { interval: number };
    /** Whose Disconnect-Request counts (RFC 5176). */
    'dynamic-authorization'?: DocumentRadiusServer;
  };
  'multi-psk'?: { key: string; mac?: string; 'vlan-id'?: number }[];
  'rate-limit'?: { 'ingress-rate': number; 'egress-rate': number };
  /** 802.11r. */
  roaming?: { 'message-exchange': 'air'; 'generate-psk': boolean };
  /** 802.11k. */
  rrm?: { 'neighbor-reporting': true };
  /** dBm to associate and to stay connected. */
  'quality-thresholds'?: { 'association-request-rssi': number; 'client-kick-rssi': number };
}

export interface DocumentInterface {
  name: string;
  role: 'upstream' | 'downstream';
  /** WAN priority: lower is preferred. */
  metric?: number;
  services?: string[];
  vlan?: { id: number; proto?: string };
  ethernet?: { 'select-ports': string[]; 'vlan-tag'?: 'tagged' | 'un-tagged' | 'auto' }[];
  ipv4?: Record<string, unknown>;
  ssids?: DocumentSsid[];
}

/** Lacks the uuid, which `withUuid` adds before sending. */
export interface UcentralDocument {
  unit: Record<string, unknown>;
  ethernet?: Record<string, unknown>[];
  switch?: Record<string, unknown>;
  radios?: DocumentRadio[];
  interfaces: DocumentInterface[];
  services?: Record<string, unknown> & { captive?: UamCaptive };
  metrics: Record<string, unknown>;
  'third-party'?: { yunxun: EdgeSection };
}

/** Sorts keys: equal documents give equal bytes. */
export function canonical(document: unknown): string {
  return JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Returns the hexadecimal SHA-256 without the uuid. */
export function fingerprint(document: UcentralDocument): string {
  return createHash('sha256').update(canonical(document)).digest('hex');
}

/** Adds the uuid; the command's own parameters must carry the same. */
export function withUuid(document: UcentralDocument, uuid: number): ConfigurationDocument {
  return { uuid, ...document };
}

/** Returns the bytes of the `configure` frame, slightly rounded up. */
export function frameBytes(document: UcentralDocument): number {
  return Buffer.byteLength(canonical(document)) + 256;
}
