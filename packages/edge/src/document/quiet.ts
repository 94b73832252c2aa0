import { asRecord, type ConfigurationDocument, isRecord } from '@yunxun/contract/device';

/** Keys of `third-party.yunxun` that need the console, or that only it could end. */
const ofConsole: ReadonlySet<string> = new Set(['sdwan', 'shield', 'captive', 'reboot']);

/**
 * Returns the document without SD-WAN, DNS shield, portal and timed restarts. LAN, internet, limits and blocked clients
 * stay.
 */
export function withoutConsole(document: ConfigurationDocument): ConfigurationDocument {
  const more = document['third-party'];
  if (!isRecord(more)) return document;
  const kept = Object.entries(asRecord(more.yunxun)).filter(([key]) => !ofConsole.has(key));
  return { ...document, 'third-party': { ...more, yunxun: Object.fromEntries(kept) } };
}
