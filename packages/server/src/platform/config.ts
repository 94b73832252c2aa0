import { resolve } from 'node:path';

/** The parts of the program a process runs. */
export const roles = ['console', 'gateway', 'portal', 'radius', 'worker'] as const;
export type ProcessRole = (typeof roles)[number];

export interface Config {
  dataDir: string;
  host: string;
  httpPort: number;
  devicePort: number;
  portalPort: number;
  publicUrl: string;
  tls: { certFile: string; keyFile: string } | null;
  deviceHost: string;
  databaseUrl: string | null;
  busUrl: string | null;
  roles: readonly ProcessRole[];
  deviceClientCas: readonly string[];
  adminEmail: string | null;
}

/** A wrong setting: the message is the sentence the operator reads, and the start stops. */
export class ConfigError extends Error {}

const known = new Set(
  'DATA HTTP_PORT DEVICE_PORT PORTAL_PORT HOST PUBLIC_URL TLS_CERT TLS_KEY DEVICE_HOST DATABASE_URL BUS_URL ROLES DEVICE_CLIENT_CAS ADMIN_EMAIL'
    .split(' ')
    .map((name) => `YUNXUN_${name}`),
);
/** Variables that belong to tests and tools, not to the program. */
const foreign = /^YUNXUN_(TEST|BENCH|DEMO)_/;

/** Reads the environment (design section 2). @throws ConfigError with a sentence that names the variable and what it takes. */
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
  return {
    dataDir: resolve(env.YUNXUN_DATA || './data'),
    host,
    httpPort,
    devicePort: port(env, 'YUNXUN_DEVICE_PORT', 15002),
    portalPort: port(env, 'YUNXUN_PORTAL_PORT', 8081),
    publicUrl,
    tls,
    deviceHost: readDeviceHost(env.YUNXUN_DEVICE_HOST, publicUrl),
    databaseUrl: readUrl(env, 'YUNXUN_DATABASE_URL', ['postgres:', 'postgresql:']),
    busUrl: readUrl(env, 'YUNXUN_BUS_URL', ['nats:', 'tls:']),
    roles: readRoles(env.YUNXUN_ROLES),
    deviceClientCas: (env.YUNXUN_DEVICE_CLIENT_CAS ?? '').split(',').filter(Boolean),
    adminEmail: env.YUNXUN_ADMIN_EMAIL || null,
  };
}

function port(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535)
    throw new ConfigError(`${name} must be a port from 0 to 65535, not "${text}".`);
  return value;
}

function readTls(env: NodeJS.ProcessEnv): Config['tls'] {
  const { YUNXUN_TLS_CERT: certFile, YUNXUN_TLS_KEY: keyFile } = env;
  if (!certFile && !keyFile) return null;
  if (!certFile || !keyFile) throw new ConfigError('YUNXUN_TLS_CERT and YUNXUN_TLS_KEY must be set together.');
  return { certFile, keyFile };
}

function readPublicUrl(text: string | undefined, secure: boolean, httpPort: number): string {
  if (!text) return `${secure ? 'https' : 'http'}://localhost:${httpPort}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(`YUNXUN_PUBLIC_URL must be an http or https address, not "${text}".`);
  }
  return url.origin;
}

function readDeviceHost(text: string | undefined, publicUrl: string): string {
  const name = text || new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (!/^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$/.test(name) || name.length > 253) {
    throw new ConfigError(`YUNXUN_DEVICE_HOST must be a host name or an address, not "${name}".`);
  }
  return name.toLowerCase();
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

function readRoles(text: string | undefined): readonly ProcessRole[] {
  if (!text) return roles;
  const wanted = text.split(',').map((role) => role.trim());
  const wrong = wanted.find((role) => !(roles as readonly string[]).includes(role));
  if (wrong !== undefined) throw new ConfigError(`YUNXUN_ROLES takes ${roles.join(', ')}; "${wrong}" is none of them.`);
  return wanted as ProcessRole[];
}
