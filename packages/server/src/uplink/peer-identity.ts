import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { normaliseSerial } from '@yunxun/contract/device';
import type { RefusalReason } from './refusals.ts';

export interface PeerIdentity {
  serial: string;
  /** DER, SHA-256, lower-case hex. */
  fingerprint: string;
  ours: boolean;
  notAfter: Date;
}

export type PeerVerdict = PeerIdentity | { refused: RefusalReason; serial: string | null; detail: string | null };

/** Runs after the handshake, to report the reason. `ourIssuer`: like `X509Certificate`. */
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
    const { validFrom, validTo } = certificate;
    const span = refused === 'foreign-authority' ? '' : ` (${validFrom} - ${validTo})`;
    return { refused, serial, detail: `${code}${span}; issuer ${oneLine(certificate.issuer)}` };
  }
  if (!serial) return { refused: 'certificate-name', serial: null, detail: oneLine(certificate.subject) };
  return {
    serial,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    ours: certificate.issuer === ourIssuer,
    notAfter: new Date(certificate.validTo),
  };
}

type Certificate = Pick<X509Certificate, 'subject' | 'issuer' | 'fingerprint256' | 'validFrom' | 'validTo'>;

/** Avoids `getPeerX509Certificate`, which copies the issuer at three times the cost. */
function read(socket: TLSSocket): Certificate | null {
  if (socket.isSessionReused()) return socket.getPeerX509Certificate() ?? null;
  const leaf = socket.getPeerCertificate();
  if (!leaf?.raw) return null;
  return {
    subject: lines(leaf.subject),
    issuer: lines(leaf.issuer),
    fingerprint256: leaf.fingerprint256,
    validFrom: leaf.valid_from,
    validTo: leaf.valid_to,
  };
}

/** Formats like `X509Certificate`; escaped line breaks cannot forge a part. */
function lines(name: object | undefined): string {
  return Object.entries(name ?? {})
    .flatMap(([key, value]) => [value].flat().map((part) => `${key}=${String(part).replaceAll('\n', '\\n')}`))
    .join('\n');
}

function serialOf(certificate: Certificate): string | null {
  const names = certificate.subject.split('\n').filter((line) => line.startsWith('CN='));
  return names.length === 1 ? normaliseSerial(names[0]?.slice(3)) : null;
}

function oneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ').slice(0, 200);
}
