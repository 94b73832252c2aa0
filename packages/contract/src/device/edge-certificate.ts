/**
 * Renews over the open session; the console signs only for its serial. The new certificate takes over after its first
 * session.
 */

/** From the device: `EdgeRenewParams`; from the console: renew now. */
export const edgeRenewMethod = 'yunxun.renew';
/** Notification with `EdgeCertificateParams`. */
export const edgeCertificateMethod = 'yunxun.certificate';

/**
 * `GET`: 204 if the certificate would be admitted, `unboundStatus`, or 403. Probed before confirming a configuration;
 * older consoles answer 426.
 */
export const edgeReachPath = '/reach';

export interface EdgeRenewParams {
  serial: string;
  /** PKCS#10 in PEM; its CN is the serial. */
  csr: string;
}

/** Unusable, invalid session certificate, or too many. */
export type EdgeRenewRefusal = 'request' | 'certificate' | 'often';

export interface EdgeCertificateParams {
  serial: string;
  certificate?: string;
  refused?: EdgeRenewRefusal;
}
