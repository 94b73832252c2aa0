import { configuration } from '@yunxun/contract';
import { macOfSerial } from '@yunxun/contract/device';
import { isHexKey } from '@yunxun/contract/rules';
import type { DocumentSsid, UcentralDocument } from './document.ts';
import type { Findings } from './findings.ts';
import { guestGateOf, withGate } from './guest-gate.ts';
import type { Band, CompileInput, RadiusServer, Ssid, SsidKey } from './intent.ts';
import { bandsOfDevice } from './radio-facts.ts';
import { effectiveRadio } from './resolve.ts';

/** Empty if only keys use the VLAN; null: untagged. */
export interface SsidGroup {
  vlan: number | null;
  ssids: DocumentSsid[];
}

export function compileSsids(input: CompileInput, findings: Findings): SsidGroup[] {
  const { device, network, override } = input;
  const present = bandsOfDevice(device.capabilities);
  const active = new Set([...present].filter((band) => effectiveRadio(band, network, override).enabled.value));
  const perBand = new Map<Band, number>();
  const groups = new Map<number | null, DocumentSsid[]>();
  const { leftOut, isGated } = guestGateOf(input, findings);
  for (const [index, ssid] of network.ssids.entries()) {
    if (!ssid.enabled || override.ssids_off.includes(ssid.id) || leftOut.has(ssid.id)) continue;
    // the schema of the firmware: 8 to 63 characters
    if ([ssid, ...(ssid.keys ?? [])].some(({ key }) => key && isHexKey(key))) {
      findings.leftOut('key_hex', `ssids.${index}.key`, { name: ssid.name });
      continue;
    }
    const bands = bandsOfSsid(ssid, index, { present, active, perBand }, findings);
    if (bands.length === 0) {
      findings.leftOut('ssid_left_out', `ssids.${index}`, { name: ssid.name });
      continue;
    }
    for (const band of bands) perBand.set(band, (perBand.get(band) ?? 0) + 1);
    const group = groups.get(ssid.vlan) ?? [];
    const sent = documentSsid(ssid, bands, input);
    group.push(isGated(ssid) && input.gate ? withGate(sent, input.gate) : sent);
    groups.set(ssid.vlan, group);
    for (const { vlan } of ssid.keys ?? []) if (!groups.has(vlan ?? ssid.vlan)) groups.set(vlan, []);
  }
  return [...groups].map(([vlan, ssids]) => ({ vlan, ssids })).toSorted((a, b) => (a.vlan ?? 0) - (b.vlan ?? 0));
}

function bandsOfSsid(
  ssid: Ssid,
  index: number,
  radios: { present: ReadonlySet<Band>; active: ReadonlySet<Band>; perBand: ReadonlyMap<Band, number> },
  findings: Findings,
): Band[] {
  const field = `ssids.${index}.bands`;
  return configuration.bands.filter((band) => {
    if (!ssid.bands.includes(band)) return false;
    const params = { band, name: ssid.name };
    if (!radios.present.has(band)) findings.leftOut('no_radio', field, params);
    else if (!radios.active.has(band)) findings.leftOut('radio_off', field, params);
    else if (band === '6G' && !configuration.sixGigahertzSecurities.includes(ssid.security))
      findings.leftOut('security_6g', field, params);
    else if ((radios.perBand.get(band) ?? 0) >= configuration.configurationLimits.ssidsPerBand) {
      findings.leftOut('too_many_ssids', field, { ...params, limit: configuration.configurationLimits.ssidsPerBand });
    } else return true;
    return false;
  });
}

const managementFrames = {
  open: null,
  owe: 'required',
  psk2: 'optional',
  'sae-mixed': 'optional',
  sae: 'required',
  wpa2: 'optional',
  'wpa3-mixed': 'optional',
  wpa3: 'required',
} as const;

function documentSsid(ssid: Ssid, bands: Band[], { blocked = [], general }: CompileInput): DocumentSsid {
  const { fast_roaming: roaming, neighbour_reports: reports, minimum_rssi: rssi } = general ?? {};
  const protection = managementFrames[ssid.security];
  const keyed = configuration.keyedSecurities.includes(ssid.security);
  const limited = ssid.up_mbps !== null || ssid.down_mbps !== null;
  return {
    name: ssid.name,
    'wifi-bands': bands,
    'bss-mode': 'ap',
    'hidden-ssid': ssid.hidden,
    'isolate-clients': ssid.isolate,
    ...(ssid.maximum_clients === null ? {} : { 'maximum-clients': ssid.maximum_clients }),
    encryption: {
      proto: ssid.security === 'open' ? 'none' : ssid.security,
      ...(keyed ? { key: ssid.key ?? '' } : {}),
      ...(protection ? { ieee80211w: protection } : {}),
    },
    // present even if empty: its first appearance restarts the SSID, later entries do not (ADR 0031)
    'access-control-list': { mode: 'deny', 'mac-address': blocked.map(macOfSerial) },
    // ingress is client upload; 0 is no rate in the shaper
    ...(limited
      ? { 'rate-limit': { 'ingress-rate': ssid.up_mbps ?? unlimited, 'egress-rate': ssid.down_mbps ?? unlimited } }
      : {}),
    ...(ssid.radius ? { radius: documentRadius(ssid.radius) } : {}),
    ...(ssid.keys && ssid.keys.length > 0 ? { 'multi-psk': ssid.keys.map(documentKey) } : {}),
    // handover keys need a shared key; SAE has none
    ...(roaming && keyed && !ssid.keys
      ? { roaming: { 'message-exchange': 'air', 'generate-psk': ssid.security === 'psk2' } }
      : {}),
    ...(reports ? { rrm: { 'neighbor-reporting': true } } : {}),
    ...(rssi ? { 'quality-thresholds': { 'association-request-rssi': rssi, 'client-kick-rssi': rssi } } : {}),
  };
}

function documentRadius({ auth, acct }: NonNullable<Ssid['radius']>): NonNullable<DocumentSsid['radius']> {
  const server = ({ host, port, secret }: RadiusServer) => ({ host, port, secret: secret ?? '' });
  return { authentication: server(auth), ...(acct ? { accounting: { ...server(acct), interval: 60 } } : {}) };
}

function documentKey({ key, mac, vlan }: SsidKey): NonNullable<DocumentSsid['multi-psk']>[number] {
  return { key: key ?? '', ...(mac ? { mac } : {}), ...(vlan === null ? {} : { 'vlan-id': vlan }) };
}

/** Mbit/s above any client. */
const unlimited = configuration.configurationLimits.rateMbps.max;

export const hasGate = (ssids: readonly DocumentSsid[]): boolean =>
  ssids.some(({ services }) => services !== undefined);

/** Drops empty deny lists, which change nothing on the device. */
export function withoutEmptyLists(document: UcentralDocument): UcentralDocument {
  if (!document.interfaces) return document;
  const interfaces = document.interfaces.map((one) => {
    const ssids = one.ssids?.map(({ 'access-control-list': list, ...ssid }) =>
      list && list['mac-address'].length > 0 ? { ...ssid, 'access-control-list': list } : ssid,
    );
    return { ...one, ...(ssids ? { ssids } : {}) };
  });
  return { ...document, interfaces };
}
