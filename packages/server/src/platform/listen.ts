import { ConfigError } from './config.ts';

/**
 * TLS 1.3, and TLS 1.2 suites with forward secrecy and AEAD (RFC 9325, section 4.2). uCentral firmware and browsers of
 * the last ten years support them.
 */
export const tlsSuites = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    ...['ECDSA', 'RSA'].flatMap((key) =>
      ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((suite) => `ECDHE-${key}-${suite}`),
    ),
  ].join(':'),
} as const;

export type ListenSetting = `YUNXUN_${'HTTP' | 'DEVICE' | 'PORTAL' | 'RADIUS_AUTH' | 'RADIUS_ACCT' | 'REMOTE'}_PORT`;

interface Address {
  host: string;
  port: number;
}

/** Returns an error handler that names the setting to change. @throws ConfigError */
export function nameSetting(setting: ListenSetting, at: Address) {
  return (error: Error): never => {
    throw listenError(setting, at, error);
  };
}

/** Returns a ConfigError that names the setting to change, or the same error if no setting helps. */
export function listenError(setting: ListenSetting, at: Address, error: Error): Error {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${at.port} is taken by another program. Stop that program, or choose another port with ${setting}.`,
    EACCES: `This user may not listen on port ${at.port}. Choose a port above 1023 with ${setting}.`,
    EADDRNOTAVAIL: `This machine does not have the address ${at.host}. Choose one that it has with YUNXUN_HOST.`,
  };
  const sentence = sentences[(error as NodeJS.ErrnoException).code ?? ''];
  return sentence === undefined ? error : new ConfigError(sentence, { cause: error });
}
