import { asList, asRecord, asText, asTexts, type ConfigurationDocument, isRecord } from '@yunxun/contract/device';

export interface Gate {
  /** As the firmware's renderer: none on several interfaces. */
  ssids: ReadonlySet<string>;
  captive: Record<string, unknown>;
  /** For Disconnect-Requests; null: none are taken. */
  secret: string | null;
}

export function gateOf(document: ConfigurationDocument): Gate | null {
  const gated = asList(document.interfaces).map((entry) =>
    asList(asRecord(entry).ssids)
      .map((ssid) => asRecord<Record<string, unknown>>(ssid))
      .filter(({ services }) => asTexts(services).includes('captive')),
  );
  const [ssids, ...more] = gated.filter((found) => found.length > 0);
  const { captive } = asRecord<{ captive: unknown }>(document.services);
  if (!ssids || more.length > 0 || !isRecord(captive)) return null;
  const authorised = asRecord<Record<string, unknown>>(asRecord(ssids[0]!.radius)['dynamic-authorization']);
  const names = new Set(ssids.map(({ name }) => asText(name, 32) ?? ''));
  return { ssids: names, captive, secret: asText(authorised.secret, 256) };
}
