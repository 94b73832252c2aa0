/**
 * Certificates of our own agent rotate over the session that the old one opened: the box makes a new key and asks, the
 * console signs for the serial of that session and no other. The new certificate replaces the old one once it has opened a
 * session of its own.
 */

/**
 * From the device: here is a request for a new key (`EdgeRenewParams`). From the console, as a notification: ask for a new
 * certificate now.
 */
export const edgeRenewMethod = 'yunxun.renew';
/** From the console, as a notification: the certificate, or why there is none (`EdgeCertificateParams`). */
export const edgeCertificateMethod = 'yunxun.certificate';

/**
 * Path of the device port that opens no session (`GET`): 204 for a certificate that would be admitted, 403 for one that
 * would not. Our agent asks it over a new connection before it keeps a configuration; older consoles answer 426.
 */
export const edgeReachPath = '/reach';

/** Parameters of `yunxun.renew` from the device. */
export interface EdgeRenewParams {
  serial: string;
  /** PKCS#10 in PEM; its CN is the serial. */
  csr: string;
}

/**
 * Why a certificate is not renewed: the request cannot be signed, the session's own certificate does not count (any more)
 * or is of another authority, or the device asked too often.
 */
export type EdgeRenewRefusal = 'request' | 'certificate' | 'often';

/** Parameters of `yunxun.certificate`. */
export interface EdgeCertificateParams {
  serial: string;
  /** PEM. */
  certificate?: string;
  refused?: EdgeRenewRefusal;
}
