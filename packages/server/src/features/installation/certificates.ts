import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface AuthorityFacts {
  name: string;
  /** False: additionally trusted. */
  ours: boolean;
  /** SHA-256 as upper-case hexadecimal pairs. */
  fingerprint: string;
  expires_at: string;
}

export function endOf(pem: string | Buffer): string {
  return new Date(new X509Certificate(pem).validTo).toISOString();
}

export function endOfFile(file: string): string {
  return endOf(readFileSync(file));
}

/** Returns every certificate of the PEM file. */
export function authoritiesIn(pem: string, ours: boolean): AuthorityFacts[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => {
    const certificate = new X509Certificate(block);
    // one field per line; falls back from CN to O
    const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(certificate.subject)?.[1];
    return {
      name: field('CN') ?? field('O') ?? certificate.subject,
      ours,
      fingerprint: certificate.fingerprint256,
      expires_at: endOf(block),
    };
  });
}
