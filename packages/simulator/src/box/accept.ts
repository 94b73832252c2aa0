import { asList, asRecord, type ConfigurationDocument, isRecord } from '@yunxun/contract/device';
import * as is from './check.ts';
import type { Hardware } from './hardware.ts';

const bands = ['2G', '5G', '5G-lower', '5G-upper', '6G', 'HaLow'] as const;
const protos = [
  'none',
  'owe',
  'owe-transition',
  'psk',
  'psk2',
  'psk-mixed',
  'psk2-radius',
  'wpa',
  'wpa2',
  'wpa-mixed',
  'sae',
  'sae-mixed',
  'wpa3',
  'wpa3-192',
  'wpa3-mixed',
  'mpsk-radius',
] as const;
const keyed: ReadonlySet<unknown> = new Set(['psk', 'psk2', 'psk-mixed', 'sae', 'sae-mixed']);

const radioRules = {
  band: is.oneOf(...bands),
  channel: is.either(is.whole(1, 233), is.oneOf('auto')),
  'channel-width': is.oneOf(1, 2, 4, 8, 20, 40, 80, 160, 320, 8080),
  'channel-mode': is.oneOf('HT', 'VHT', 'HE', 'EHT'),
  country: is.text(2, 2),
  enable: is.flag,
  'allow-dfs': is.flag,
  'tx-power': is.whole(0, 30),
  'valid-channels': is.each(is.whole(1, 233)),
};
const interfaceRules = { name: is.anyText, role: is.oneOf('upstream', 'downstream'), services: is.each(is.anyText) };
const ssidRules = {
  name: is.text(1, 32),
  'wifi-bands': is.each(is.oneOf(...bands)),
  'bss-mode': is.oneOf('ap', 'sta', 'mesh', 'wds-ap', 'wds-sta', 'wds-repeater'),
  'hidden-ssid': is.flag,
  'isolate-clients': is.flag,
  'dtim-period': is.whole(1, 255),
};
const encryptionRules = {
  proto: is.oneOf(...protos),
  key: is.text(8, 63),
  ieee80211w: is.oneOf('disabled', 'optional', 'required'),
};

const radiusRules = { host: is.anyText, port: is.whole(1024, 65_535), secret: is.anyText };
const multiKeyRules = { key: is.text(8, 63), mac: is.anyText, 'vlan-id': is.whole(0, 4096) };
/** 802.1X modes, which need a RADIUS server. */
const enterprise: ReadonlySet<unknown> = new Set(['wpa', 'wpa2', 'wpa-mixed', 'wpa3', 'wpa3-192', 'wpa3-mixed']);

/**
 * Schema errors and a missing upstream refuse a document. Unsupported parts are omitted with a warning; `strict` makes
 * them errors.
 */
export function judge(document: ConfigurationDocument, hardware: Hardware): is.Findings {
  const findings: is.Findings = { errors: [], warnings: [] };
  is.checkKeys('', document, { uuid: is.whole(1, 2_147_483_647), strict: is.flag, radios: is.list }, findings);
  is.checkKeys('', document, { interfaces: is.list, unit: objectRule, metrics: objectRule }, findings);
  checkMetrics(document, findings);
  asList(document.radios).forEach((radio, index) => {
    const path = `/radios/${index}`;
    is.checkKeys(path, asRecord(radio), radioRules, findings);
    const { band } = asRecord<{ band: string }>(radio);
    if (hardware.platform === 'ap' && !hardware.radios.some((own) => String(band).startsWith(own.band))) {
      findings.warnings.push(`[W] (In ${path}) Can't find any suitable radio phy for band ${String(band)} settings`);
    }
  });
  let upstream = 0;
  asList(document.interfaces).forEach((entry, index) => {
    if (checkInterface(`/interfaces/${index}`, entry, findings, hardware)) upstream += 1;
  });
  if (findings.errors.length === 0 && upstream === 0) {
    findings.errors.push('[E] (In /) Configuration must contain at least one valid upstream interface');
  }
  checkCaptive(document, findings);
  if (document.strict === true) {
    findings.errors.push(...findings.warnings.map((warning) => warning.replace('[W]', '[E]')));
  }
  return findings;
}

const objectRule: is.Rule = (value) => (isRecord(value) ? null : 'must be of type object');

function checkMetrics(document: ConfigurationDocument, findings: is.Findings): void {
  const metrics = asRecord(document.metrics);
  const interval = { interval: is.whole(60, 2_147_483_647) };
  is.checkKeys('/metrics/health', asRecord(metrics.health), interval, findings);
  const statistics = asRecord(metrics.statistics);
  const types = { types: is.each(is.oneOf('ssids', 'lldp', 'clients', 'tid-stats')) };
  is.checkKeys('/metrics/statistics', statistics, { ...interval, ...types }, findings);
}

function checkInterface(path: string, entry: unknown, findings: is.Findings, hardware: Hardware): boolean {
  if (!isRecord(entry)) {
    findings.errors.push(`[E] (In ${path}) Value must be of type object`);
    return false;
  }
  is.checkKeys(path, entry, { ...interfaceRules, ethernet: is.list, ssids: is.list }, findings);
  const vlanLimit = hardware.platform === 'switch' ? 4094 : 4050;
  is.checkKeys(`${path}/vlan`, asRecord(entry.vlan), { id: is.whole(1, vlanLimit) }, findings);
  const ipv4 = { addressing: is.oneOf('dynamic', 'static', 'none') };
  const subnet = hardware.platform === 'switch' ? is.list : is.cidr;
  is.checkKeys(`${path}/ipv4`, asRecord(entry.ipv4), { ...ipv4, subnet }, findings);
  for (const [index, ssid] of asList(entry.ssids).entries()) checkSsid(`${path}/ssids/${index}`, ssid, findings);
  const ports = asList(entry.ethernet).some((port) => asList(asRecord(port)['select-ports']).length > 0);
  return entry.role === 'upstream' && ports;
}

function checkSsid(path: string, entry: unknown, findings: is.Findings): void {
  const ssid = asRecord(entry);
  if (ssid.name === undefined) findings.errors.push(`[E] (In ${path}) Value must have property "name"`);
  is.checkKeys(path, ssid, ssidRules, findings);
  const encryption = asRecord(ssid.encryption);
  is.checkKeys(`${path}/encryption`, encryption, encryptionRules, findings);
  const radius = asRecord(ssid.radius);
  for (const kind of ['authentication', 'accounting'] as const)
    is.checkKeys(`${path}/radius/${kind}`, asRecord(radius[kind]), radiusRules, findings);
  for (const [index, key] of asList(Array.isArray(ssid['multi-psk']) ? ssid['multi-psk'] : []).entries())
    is.checkKeys(`${path}/multi-psk/${index}`, asRecord(key), multiKeyRules, findings);
  if (lacksKey(ssid) || lacksRadius(ssid))
    findings.warnings.push(`[W] (In ${path}) Can't find any valid encryption settings`);
}

export function lacksKey(ssid: Record<string, unknown>): boolean {
  const encryption = asRecord(ssid.encryption);
  const several = Array.isArray(ssid['multi-psk']) && ssid['multi-psk'].length > 0;
  return keyed.has(encryption.proto) && encryption.key === undefined && !several;
}

function lacksRadius(ssid: Record<string, unknown>): boolean {
  const { authentication, local } = asRecord(ssid.radius);
  return enterprise.has(asRecord(ssid.encryption).proto) && !isRecord(authentication) && !isRecord(local);
}

export function isOpen(ssid: Record<string, unknown>): boolean {
  const { proto } = asRecord<{ proto: string }>(ssid.encryption);
  return proto === undefined || proto === 'none' || proto === 'owe' || proto === 'owe-transition';
}

function checkCaptive(document: ConfigurationDocument, findings: is.Findings): void {
  const gates = (entry: unknown) => asList(asRecord(entry).services).includes('captive');
  const captive = asList(document.interfaces).filter(
    (entry) => gates(entry) || asList(asRecord(entry).ssids).some(gates),
  );
  if (captive.length > 1) {
    findings.errors.push('[E] (In /services/captive) captive portal can only run on a single interface');
  }
}
