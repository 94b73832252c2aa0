import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { normaliseSerial } from '@yunxun/contract/device';

/** Proves the key of an earlier certificate. */
export interface EnrolmentProof {
  /** PEM. */
  certificate: string;
  /** Base64 over the request's PEM: SHA-256 with ECDSA (DER) or RSA PKCS#1 v1.5. */
  signature: string;
}

export function readClientCas(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map((file) => readFile(file, 'utf8')));
}

/**
 * Returns the SHA-256 fingerprint if the key signed the request, else null. The caller checks that it is known and not
 * revoked.
 */
export function provenFingerprint(proof: EnrolmentProof, csr: string): string | null {
  return provenCertificate(proof, csr)?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null;
}

/** Requires validity, the serial as CN, and direct issue by a trusted authority (PEM). */
export function isFactoryProof(
  proof: EnrolmentProof,
  { serial, csr }: { serial: string; csr: string },
  clientCas: readonly string[],
  now: Date,
): boolean {
  const certificate = provenCertificate(proof, csr);
  if (!certificate) return false;
  const names = certificate.subject.split('\n').filter((line) => line.startsWith('CN='));
  if (names.length !== 1 || normaliseSerial(names[0]!.slice(3)) !== serial) return false;
  if (Date.parse(certificate.validFrom) > now.getTime() || Date.parse(certificate.validTo) < now.getTime())
    return false;
  return clientCas
    .flatMap((text) => text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
    .map((text) => new X509Certificate(text))
    .some((ca) => ca.ca && certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
}

function provenCertificate({ certificate, signature }: EnrolmentProof, csr: string): X509Certificate | null {
  try {
    const shown = new X509Certificate(certificate);
    return signs(shown.publicKey) &&
      verify('sha256', Buffer.from(csr), shown.publicKey, Buffer.from(signature, 'base64'))
      ? shown
      : null;
  } catch {
    return null;
  }
}

/** Accepts key types of the script's openssl. */
function signs({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' || asymmetricKeyType === 'rsa';
}
