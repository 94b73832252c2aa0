import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { normaliseSerial } from '@yunxun/contract/device';
import type { RefusalReason } from './refusals.ts';

/** Who a TLS peer is, by its certificate. */
export interface PeerIdentity {
  serial: string;
  /** SHA-256 of the certificate's DER, lower-case hex. */
  fingerprint: string;
  /** Issued by our own authority. */
  ours: boolean;
  notAfter: Date;
}

export type PeerVerdict = PeerIdentity | { refused: RefusalReason; serial: string | null; detail: string | null };

/**
 * Reads a peer's certificate after the handshake. TLS only recorded whether the chain holds; the refusal is ours, so
 * that it can say what is wrong.
 */
export function identifyPeer(socket: TLSSocket, ourIssuer: string): PeerVerdict {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return { refused: 'no-certificate', serial: null, detail: null };
  const serial = serialOf(certificate);
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    const refused =
      code === 'CERT_HAS_EXPIRED'
        ? 'certificate-expired'
        : code === 'CERT_NOT_YET_VALID'
          ? 'certificate-not-yet-valid'
          : 'foreign-authority';
    return { refused, serial, detail: `${code}; issuer ${oneLine(certificate.issuer)}` };
  }
  if (!serial) return { refused: 'certificate-name', serial: null, detail: oneLine(certificate.subject) };
  return {
    serial,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    ours: certificate.issuer === ourIssuer,
    notAfter: new Date(certificate.validTo),
  };
}

/** The serial in the subject's one CN. */
function serialOf(certificate: X509Certificate): string | null {
  const names = certificate.subject.split('\n').filter((line) => line.startsWith('CN='));
  return names.length === 1 ? normaliseSerial(names[0]?.slice(3)) : null;
}

function oneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ').slice(0, 200);
}
