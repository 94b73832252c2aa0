export const uamPort = 3990;

/** `services.captive` of an access point in the mode `uam` (wlan-ucentral-schema). Ports in UDP, intervals in seconds. */
export interface UamCaptive {
  'auth-mode': 'uam';
  /** Without a query: the firmware appends `?`. */
  'uam-server': string;
  'uam-port': number;
  'uam-secret': string;
  nasid: string;
  'mac-format': 'aa-bb-cc-dd-ee-ff';
  'final-redirect-url': 'uam';
  'idle-timeout': number;
  /** The firewall of the firmware skips names with `*`. */
  'walled-garden-fqdn'?: string[];
  'walled-garden-ipaddr'?: string[];
  'auth-server': string;
  'auth-port': number;
  'auth-secret': string;
  'acct-server': string;
  'acct-port': number;
  'acct-secret': string;
  'acct-interval': number;
  /** RADIUS inside the connection to the console. */
  'radius-gw-proxy': true;
}
