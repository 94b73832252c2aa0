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
 * that it can say what is wrong. `ourIssuer` is our authority's name as `X509Certificate` writes it.
 */
export function identifyPeer(socket: TLSSocket, ourIssuer: string): PeerVerdict {
  const certificate = read(socket);
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

type Certificate = Pick<X509Certificate, 'subject' | 'issuer' | 'fingerprint256' | 'validTo'>;

/**
 * The leaf, by the cheaper of Node's two readers: after a whole handshake `getPeerX509Certificate` copies the issuer
 * that the device sent along, which costs three times as much; a resumed session has no issuer to copy.
 */
function read(socket: TLSSocket): Certificate | null {
  if (socket.isSessionReused()) return socket.getPeerX509Certificate() ?? null;
  const leaf = socket.getPeerCertificate();
  // without a certificate it is an empty object
  if (!leaf?.raw) return null;
  return {
    subject: lines(leaf.subject),
    issuer: lines(leaf.issuer),
    fingerprint256: leaf.fingerprint256,
    validTo: leaf.valid_to,
  };
}

/** A name as `X509Certificate` writes it, a part a line; a part that has a line break is nobody's name here. */
function lines(name: object | undefined): string {
  return Object.entries(name ?? {})
    .flatMap(([key, value]) => [value].flat().map((part) => `${key}=${String(part).replaceAll('\n', '\\n')}`))
    .join('\n');
}

/** The serial in the subject's one CN. */
function serialOf(certificate: Certificate): string | null {
  const names = certificate.subject.split('\n').filter((line) => line.startsWith('CN='));
  return names.length === 1 ? normaliseSerial(names[0]?.slice(3)) : null;
}

function oneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ').slice(0, 200);
}
