import { dnsTypes, ptrQuery, readDnsAnswer } from './dns-message.ts';
import { type Finding, shortText } from './finding.ts';

/** Most telling first. */
const services: readonly (readonly [type: Finding['type'], names: readonly string[]])[] = [
  ['camera', ['_axis-video._tcp', '_rtsp._tcp']],
  ['printer', ['_ipp._tcp', '_ipps._tcp', '_printer._tcp', '_pdl-datastream._tcp']],
  ['smart_device', ['_googlecast._tcp', '_airplay._tcp', '_raop._tcp', '_hap._tcp', '_hue._tcp', '_miio._udp']],
  ['server', ['_smb._tcp', '_workstation._tcp']],
  [null, ['_http._tcp']],
];

export const mdnsQuery = ptrQuery(services.flatMap(([, names]) => names.map((name) => `${name}.local`)));

/** Keys of TXT records. */
const modelKeys = ['ty', 'md', 'model', 'am'];
/** HomeKit: camera, doorbell. */
const cameraCategories: ReadonlySet<string> = new Set(['17', '18']);

/** Guesses by announced services (RFC 6763). */
export function readMdns(packet: Buffer): Finding | null {
  const records = readDnsAnswer(packet);
  const offered = records.filter(({ type, target }) => type === dnsTypes.ptr && target !== null);
  const of = (record: (typeof offered)[number]) => record.name.slice(0, 2).join('.').toLowerCase();
  const ranked = services.flatMap(([type, names]) =>
    names.flatMap((name) => offered.filter((record) => of(record) === name).map(({ target }) => ({ type, target }))),
  );
  const [best] = ranked;
  if (!best?.target) return null;
  const facts = new Map<string, string>();
  for (const { texts } of records)
    for (const text of texts) {
      const [key = '', ...rest] = text.split('=');
      if (!facts.has(key.toLowerCase())) facts.set(key.toLowerCase(), rest.join('='));
    }
  const isCamera = best.type === 'smart_device' && cameraCategories.has(facts.get('ci') ?? '');
  const named = best.target[0] ?? '';
  return {
    by: 'mdns',
    type: isCamera ? 'camera' : best.type,
    // Google Cast names by TXT, AirPlay puts a MAC before the name
    name: shortText(facts.get('fn') ?? named.replace(/^[0-9A-F]{12}@/, '')),
    model: shortText(modelKeys.map((key) => facts.get(key)).find((text) => text)),
  };
}
