import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What a screen says of an authority's certificate. */
export interface AuthorityFacts {
  name: string;
  /** Made here, or trusted besides. */
  ours: boolean;
  /** SHA-256, in pairs of upper-case hexadecimal digits. */
  fingerprint: string;
  expires_at: string;
}

/** When a PEM certificate ends. */
export function endOf(pem: string | Buffer): string {
  return new Date(new X509Certificate(pem).validTo).toISOString();
}

/** When the certificate in a file ends. */
export function endOfFile(file: string): string {
  return endOf(readFileSync(file));
}

/** The authorities in a PEM file, which may hold several. */
export function authoritiesIn(pem: string, ours: boolean): AuthorityFacts[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => {
    const certificate = new X509Certificate(block);
    // one name a line; authorities are known by CN, or by O where they have none
    const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(certificate.subject)?.[1];
    return {
      name: field('CN') ?? field('O') ?? certificate.subject,
      ours,
      fingerprint: certificate.fingerprint256,
      expires_at: endOf(block),
    };
  });
}
