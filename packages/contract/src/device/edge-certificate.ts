/**
 * The edge agent renews its certificate over its open session; the console signs only for that session's serial. The
 * new certificate takes over after its first own session.
 */

/** From the device: `EdgeRenewParams`. From the console, as a notification: renew now. */
export const edgeRenewMethod = 'yunxun.renew';
/** Notification with `EdgeCertificateParams`. */
export const edgeCertificateMethod = 'yunxun.certificate';

/**
 * Probe path (`GET`): 204 if the certificate would be admitted, else 403. The agent probes it before confirming a
 * configuration; older consoles answer 426.
 */
export const edgeReachPath = '/reach';

export interface EdgeRenewParams {
  serial: string;
  /** PKCS#10 in PEM; its CN is the serial. */
  csr: string;
}

/** Unusable request, invalid session certificate, or too many requests. */
export type EdgeRenewRefusal = 'request' | 'certificate' | 'often';

export interface EdgeCertificateParams {
  serial: string;
  certificate?: string;
  refused?: EdgeRenewRefusal;
}
