import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { rules } from '@yunxun/contract/rules';
import { readTileAddress, type TileFault } from './tile-address.ts';

export const roles = ['console', 'gateway', 'portal', 'radius', 'worker'] as const;
export type ProcessRole = (typeof roles)[number];
export const workingRoles: ReadonlySet<string> = new Set(['console', 'gateway', 'portal', 'radius', 'worker']);

export interface UdpPort {
  port: number;
  /** By the setting; a default port may be taken. */
  isChosen: boolean;
}

export interface Config {
  dataDir: string;
  host: string;
  httpPort: number;
  devicePort: number;
  portalPort: number;
  /** By the setting; a default port may be taken. */
  portalPortIsChosen: boolean;
  /** Of devices that open a terminal. */
  remotePort: number;
  /** By the setting; a default port may be taken. */
  remotePortIsChosen: boolean;
  /** Name or address at which other processes of the console reach `remotePort` of this one. */
  remoteAddress: string;
  /** Below this name lie those of web sessions; null: there are none. */
  remoteHost: string | null;
  /** Null: switched off. */
  radiusAuthPort: UdpPort | null;
  radiusAcctPort: UdpPort | null;
  publicUrl: string;
  tls: { certFile: string; keyFile: string } | null;
  deviceHost: string;
  databaseUrl: string | null;
  busUrl: string | null;
  /** PEM of the bus server's certificate authority; null: the system's trust store. */
  busCa: string | null;
  roles: readonly ProcessRole[];
  deviceClientCas: readonly string[];
  adminEmail: string | null;
  mapTiles: MapTiles | null;
  /** Addresses and networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  trustedProxies: readonly string[];
  privateSmtp: boolean;
  privateWebhooks: boolean;
  /** Free bytes to keep; below that, reports and uploads are refused. */
  diskReserveBytes: number;
  /** Bearer token for remote access to `/metrics` and the details of `/readyz`; null: loopback only. */
  metricsToken: string | null;
}

export interface MapTiles {
  /** URL with `{z}`, `{x}` and `{y}`, or a path on the console's origin. */
  url: string;
  attribution: string;
}

export class ConfigError extends Error {}

/** Names of sessions take 57 of the 253 characters. */
const maxRemoteHost = 190;

const known = new Set(
  'DATA HTTP_PORT DEVICE_PORT PORTAL_PORT RADIUS_AUTH_PORT RADIUS_ACCT_PORT HOST PUBLIC_URL TLS_CERT TLS_KEY DEVICE_HOST DATABASE_URL BUS_URL ROLES DEVICE_CLIENT_CAS ADMIN_EMAIL MAP_TILES MAP_ATTRIBUTION TRUSTED_PROXIES METRICS_TOKEN DISK_RESERVE SMTP_PRIVATE WEBHOOK_PRIVATE BUS_CA REMOTE_PORT REMOTE_ADDRESS REMOTE_HOST'
    .split(' ')
    .map((name) => `YUNXUN_${name}`),
);
const foreign = /^YUNXUN_(TEST|BENCH|DEMO)_/;

/** @throws ConfigError that names the variable and its valid values */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('YUNXUN_') && !known.has(name) && !foreign.test(name)) {
      throw new ConfigError(`${name} is not a setting of Yunxun. Known settings: ${[...known].sort().join(', ')}.`);
    }
  }
  const host = env.YUNXUN_HOST || '0.0.0.0';
  const httpPort = port(env, 'YUNXUN_HTTP_PORT', 8080);
  const tls = readTls(env);
  const publicUrl = readPublicUrl(env.YUNXUN_PUBLIC_URL, tls !== null, httpPort);
  const config: Config = {
    dataDir: resolve(env.YUNXUN_DATA || './data'),
    host,
    httpPort,
    devicePort: port(env, 'YUNXUN_DEVICE_PORT', 15002),
    portalPort: port(env, 'YUNXUN_PORTAL_PORT', 8081),
    portalPortIsChosen: Boolean(env.YUNXUN_PORTAL_PORT),
    remotePort: port(env, 'YUNXUN_REMOTE_PORT', 5912),
    remotePortIsChosen: Boolean(env.YUNXUN_REMOTE_PORT),
    remoteAddress: env.YUNXUN_REMOTE_ADDRESS
      ? readHost('YUNXUN_REMOTE_ADDRESS', env.YUNXUN_REMOTE_ADDRESS)
      : hostname(),
    remoteHost: readRemoteHost(env.YUNXUN_REMOTE_HOST, publicUrl),
    radiusAuthPort: udpPort(env, 'YUNXUN_RADIUS_AUTH_PORT', 1812),
    radiusAcctPort: udpPort(env, 'YUNXUN_RADIUS_ACCT_PORT', 1813),
    publicUrl,
    tls,
    deviceHost: readDeviceHost(env.YUNXUN_DEVICE_HOST, publicUrl),
    databaseUrl: readUrl(env, 'YUNXUN_DATABASE_URL', ['postgres:', 'postgresql:']),
    busUrl: readUrls(env, 'YUNXUN_BUS_URL', ['nats:', 'tls:']),
    busCa: readBusCa(env),
    roles: readRoles(env.YUNXUN_ROLES),
    deviceClientCas: readClientCas(env.YUNXUN_DEVICE_CLIENT_CAS),
    adminEmail: readAdminEmail(env.YUNXUN_ADMIN_EMAIL),
    mapTiles: readMapTiles(env.YUNXUN_MAP_TILES, env.YUNXUN_MAP_ATTRIBUTION, publicUrl),
    trustedProxies: readTrustedProxies(env.YUNXUN_TRUSTED_PROXIES),
    privateSmtp: readYes(env, 'YUNXUN_SMTP_PRIVATE'),
    privateWebhooks: readYes(env, 'YUNXUN_WEBHOOK_PRIVATE'),
    diskReserveBytes: readDiskReserve(env.YUNXUN_DISK_RESERVE),
    metricsToken: readMetricsToken(env.YUNXUN_METRICS_TOKEN),
  };
  refuseLonely(config);
  return config;
}

const together = ['console', 'gateway', 'worker'] as const;

/** Rejects split roles with the embedded bus or database. */
function refuseLonely({ roles: wanted, databaseUrl, busUrl }: Config): void {
  const elsewhere = together.filter((role) => !wanted.includes(role));
  if (elsewhere.length === 0 || (databaseUrl && busUrl)) return;
  const missing = [!databaseUrl && 'YUNXUN_DATABASE_URL', !busUrl && 'YUNXUN_BUS_URL'].filter(Boolean);
  throw new ConfigError(
    `YUNXUN_ROLES leaves ${elsewhere.join(' and ')} to other processes: set ${missing.join(' and ')} to what they share.`,
  );
}

function readFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${name} names a file that cannot be read: ${(error as Error).message}.`);
  }
}

function readClientCas(text: string | undefined): string[] {
  const name = 'YUNXUN_DEVICE_CLIENT_CAS';
  const files = (text ?? '')
    .split(',')
    .map((file) => file.trim())
    .filter(Boolean);
  for (const file of files) {
    const pem = readFile(name, file);
    try {
      new X509Certificate(pem);
    } catch {
      throw new ConfigError(`${name} takes files with certificates in PEM; ${file} holds none.`);
    }
  }
  return files;
}

function readAdminEmail(text: string | undefined): string | null {
  if (text && !rules.email.test(text))
    throw new ConfigError(`YUNXUN_ADMIN_EMAIL must be an e-mail address, not "${text}".`);
  return text || null;
}

function port(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535)
    throw new ConfigError(`${name} must be a port from 0 to 65535, not "${text}".`);
  return value;
}

/** Reads a port that 0 switches off. */
function udpPort(env: NodeJS.ProcessEnv, name: string, fallback: number): UdpPort | null {
  const value = port(env, name, fallback);
  return value === 0 ? null : { port: value, isChosen: Boolean(env[name]) };
}

function readTls(env: NodeJS.ProcessEnv): Config['tls'] {
  const { YUNXUN_TLS_CERT: certFile, YUNXUN_TLS_KEY: keyFile } = env;
  if (!certFile && !keyFile) return null;
  if (!certFile || !keyFile) throw new ConfigError('YUNXUN_TLS_CERT and YUNXUN_TLS_KEY must be set together.');
  try {
    createSecureContext({ cert: readFile('YUNXUN_TLS_CERT', certFile), key: readFile('YUNXUN_TLS_KEY', keyFile) });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `YUNXUN_TLS_CERT and YUNXUN_TLS_KEY must be a certificate and its key in PEM: ${(error as Error).message}.`,
    );
  }
  return { certFile, keyFile };
}

function readPublicUrl(text: string | undefined, secure: boolean, httpPort: number): string {
  if (!text) return `${secure ? 'https' : 'http'}://localhost:${httpPort}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(`YUNXUN_PUBLIC_URL must be an http or https address, not "${text}".`);
  }
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new ConfigError(`YUNXUN_PUBLIC_URL takes no path: the console is served at the root, as in ${url.origin}.`);
  }
  return url.origin;
}

function readDeviceHost(text: string | undefined, publicUrl: string): string {
  return readHost('YUNXUN_DEVICE_HOST', text || new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')).toLowerCase();
}

function readHost(setting: string, name: string): string {
  if (!/^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$/.test(name) || name.length > 253) {
    throw new ConfigError(`${setting} must be a host name or an address, not "${name}".`);
  }
  return name;
}

/** Refuses names that share cookies with the console: cookies know no ports. */
function readRemoteHost(text: string | undefined, publicUrl: string): string | null {
  if (!text) return null;
  const name = text.toLowerCase().replace(/\.$/, '');
  const isName = /^(?!.*\.\d+$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name);
  if (!isName || name.length > maxRemoteHost)
    throw new ConfigError(
      `YUNXUN_REMOTE_HOST must be a host name of at least two parts and at most ${maxRemoteHost} characters, as in remote.example.net, not "${text}".`,
    );
  const console = new URL(publicUrl).hostname;
  if (`.${name}`.endsWith(`.${console}`) || `.${console}`.endsWith(`.${name}`))
    throw new ConfigError(
      `YUNXUN_REMOTE_HOST must be neither the console's name ${console}, nor above it, nor below it: pages of devices would share its cookies. "${text}" is.`,
    );
  return name;
}

function readUrl(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[]): string | null {
  const text = env[name];
  if (!text) return null;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
  return text;
}

function readUrls(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[]): string | null {
  const all = (env[name] ?? '').split(',').map((one) => readUrl({ [name]: one.trim() }, name, protocols));
  return all.filter((one) => one !== null).join(',') || null;
}

function readBusCa({ YUNXUN_BUS_CA: file, YUNXUN_BUS_URL: url }: NodeJS.ProcessEnv): string | null {
  if (!file) return null;
  if (!url?.includes('tls://')) throw new ConfigError('YUNXUN_BUS_CA is for a YUNXUN_BUS_URL that starts with tls://.');
  const pem = readFile('YUNXUN_BUS_CA', file);
  try {
    new X509Certificate(pem);
  } catch {
    throw new ConfigError(`YUNXUN_BUS_CA takes a file with a certificate in PEM; ${file} holds none.`);
  }
  return pem;
}

function readRoles(text: string | undefined): readonly ProcessRole[] {
  if (!text) return roles;
  const wanted = text.split(',').map((role) => role.trim());
  const wrong = wanted.find((role) => !(roles as readonly string[]).includes(role));
  if (wrong !== undefined) throw new ConfigError(`YUNXUN_ROLES takes ${roles.join(', ')}; "${wrong}" is none of them.`);
  if (!wanted.some((role) => workingRoles.has(role))) {
    throw new ConfigError(
      `YUNXUN_ROLES names only ${wanted.join(' and ')}, which this version does not have yet. Name console, gateway, portal, radius or worker.`,
    );
  }
  return wanted as ProcessRole[];
}

function readTrustedProxies(text: string | undefined): readonly string[] {
  if (!text) return ['loopback'];
  if (text.trim() === 'none') return [];
  const entries = text.split(',').map((entry) => entry.trim());
  const wrong = entries.find((entry) => entry !== 'loopback' && !isNetwork(entry));
  if (wrong !== undefined) {
    throw new ConfigError(
      `YUNXUN_TRUSTED_PROXIES takes addresses, networks and the word loopback, as in 10.0.0.5,192.0.2.0/24, or none; "${wrong}" is none of them.`,
    );
  }
  return entries;
}

/** Accepts an address or a network; prefix 0 would trust every address. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
}

function readYes(env: NodeJS.ProcessEnv, name: string): boolean {
  const text = env[name] || 'no';
  if (text !== 'yes' && text !== 'no') throw new ConfigError(`${name} takes yes or no, not "${text}".`);
  return text === 'yes';
}

/** Reads mebibytes; 0 turns the reserve off. */
function readDiskReserve(text: string | undefined): number {
  const mebibytes = Number(text || '256');
  if (text && (!/^\d+$/.test(text) || mebibytes > 1_048_576)) {
    throw new ConfigError(`YUNXUN_DISK_RESERVE must be a number of MiB from 0 to 1048576, not "${text}".`);
  }
  return mebibytes * 1024 * 1024;
}

/** Protected only by a per-address limit. */
const minMetricsToken = 24;

function readMetricsToken(text: string | undefined): string | null {
  if (!text) return null;
  if (text.length >= minMetricsToken && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new ConfigError(
    `YUNXUN_METRICS_TOKEN must have at least ${minMetricsToken} characters, without spaces, as from: openssl rand -hex 24`,
  );
}

const maxAttribution = 200;

const tileFaults: Readonly<Record<TileFault, string>> = {
  marks: 'must hold {z}, {x} and {y} once each and no other braces',
  scheme: 'must be an http or https address, or a path that begins with one /',
  person: 'takes no user name and no password',
  host: 'must name one host, by its name or its IPv4 address',
  https: 'must be https, because YUNXUN_PUBLIC_URL is: browsers load no other pictures there',
};

function readMapTiles(text: string | undefined, attribution: string | undefined, publicUrl: string): MapTiles | null {
  const name = 'YUNXUN_MAP_TILES';
  if (!text) {
    if (attribution) throw new ConfigError(`YUNXUN_MAP_ATTRIBUTION says whose map it is: set ${name} too.`);
    return null;
  }
  const wrong = (why: string) => new ConfigError(`${name} ${why}, as in https://tiles.example.org/{z}/{x}/{y}.png.`);
  if ((attribution ?? '').length > maxAttribution)
    throw new ConfigError(`YUNXUN_MAP_ATTRIBUTION takes ${maxAttribution} characters at most.`);
  const address = readTileAddress(text, publicUrl);
  if ('fault' in address) throw wrong(tileFaults[address.fault]);
  return { url: text, attribution: attribution ?? '' };
}
