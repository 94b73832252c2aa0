import { asList, asRecord, asText, asTexts, isRecord, type State, type StateInterface } from '@yunxun/contract/device';

export interface Roles {
  routes: boolean;
  lan: string | null;
  serves: boolean;
  /** Otherwise `serves` false means nothing. */
  listsClients: boolean;
}

/** Returns null without interfaces. */
export function rolesOf(state: unknown): Roles | null {
  const interfaces = asList(asRecord<State>(state).interfaces)
    .filter(isRecord)
    .map(asRecord<StateInterface>);
  if (interfaces.length === 0) return null;
  const ipv4Of = (entry: (typeof interfaces)[number]) => asRecord<NonNullable<StateInterface['ipv4']>>(entry.ipv4);
  const down = interfaces.filter((entry) => (asText(entry.name, 32) ?? '').startsWith('down'));
  const routed = down.filter((entry) => asTexts(ipv4Of(entry).addresses).length > 0);
  const plain = routed.find((entry) => /^down\d+(v0)?$/.test(asText(entry.name, 32) ?? '')) ?? routed[0];
  const [lan = null] = plain ? asTexts(ipv4Of(plain).addresses) : [];
  return {
    routes: routed.length > 0,
    lan,
    serves: routed.some((entry) => asList(entry.clients).length + asList(ipv4Of(entry).leases).length > 0),
    listsClients: interfaces.some((entry) => Array.isArray(entry.clients) || Array.isArray(entry.ssids)),
  };
}
