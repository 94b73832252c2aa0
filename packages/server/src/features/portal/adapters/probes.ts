import { probeHosts } from '@yunxun/contract/probe-hosts';

const hosts: ReadonlySet<string> = new Set(probeHosts);
const paths =
  /\/(generate_204|gen_204|hotspot-detect\.html|library\/test\/success\.html|connecttest\.txt|ncsi\.txt|success\.txt|check_network_status\.txt)$/;

/** Returns the page that a guest wanted; null for the probes by which systems learn that they are captured. */
export function wantedSite(origin: string | null): string | null {
  if (origin === null || !URL.canParse(origin)) return null;
  const { hostname, pathname } = new URL(origin);
  return hosts.has(hostname) || paths.test(pathname) ? null : origin;
}
