import { isIPv4 } from 'node:net';
import { radius } from '@yunxun/contract';
import { uamPort } from '@yunxun/contract/device';

interface RadiusServer<P> {
  host: string;
  port: P;
  secret: string;
}

/**
 * Returns `services.captive` of uspot, pushed or entered by hand. `open`: hosts that need no sign-in; names with `*` are
 * left out, which its firewall skips.
 */
export function uamCaptive<P extends number | null>(given: {
  origin: string;
  key: string;
  secret: string;
  open: readonly string[];
  auth: RadiusServer<P>;
  acct: RadiusServer<P>;
}) {
  const { origin, key, secret, auth, acct } = given;
  const open = [...new Set(given.open)].filter((host) => !host.includes('*'));
  const [names, addresses] = [open.filter((host) => !isIPv4(host)), open.filter((host) => isIPv4(host))];
  return {
    'auth-mode': 'uam' as const,
    'uam-server': `${origin}/p/${key}/uam`,
    'uam-port': uamPort,
    'uam-secret': secret,
    nasid: key,
    'mac-format': 'aa-bb-cc-dd-ee-ff' as const,
    'final-redirect-url': 'uam' as const,
    ...(names.length > 0 ? { 'walled-garden-fqdn': names } : {}),
    ...(addresses.length > 0 ? { 'walled-garden-ipaddr': addresses } : {}),
    'auth-server': auth.host,
    'auth-port': auth.port,
    'auth-secret': auth.secret,
    'acct-server': acct.host,
    'acct-port': acct.port,
    'acct-secret': acct.secret,
    'acct-interval': radius.radiusLimits.interimSeconds,
  };
}
