/** Null `error`: it answered; else a word of `checkErrors` or a code of the system. */
export interface EdgeTcpCheck {
  address: string | null;
  ms: number | null;
  error: string | null;
}

/** Null: not reached. */
export interface EdgeHttpStep {
  url: string;
  address: string | null;
  status: number | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  error: string | null;
}

export interface EdgeCertificate {
  subject: string;
  issuer: string;
  until: string | null;
  /** Null: trusted and of this host; else a code, such as CERT_HAS_EXPIRED. */
  error: string | null;
}

export interface EdgeHttpCheck {
  steps: readonly EdgeHttpStep[];
  certificate: EdgeCertificate | null;
  /** Read of the last body, up to `edgeCheckLimits.bodyBytes`. */
  bytes: number;
  more: boolean;
}

export const checkErrors = [
  'forbidden',
  'not_found',
  'no_dns',
  'refused',
  'timeout',
  'unreachable',
  'reset',
  'tls',
  'protocol',
] as const;
export type CheckError = (typeof checkErrors)[number];

export const edgeCheckLimits = {
  dnsMs: 5000,
  connectMs: 5000,
  requestMs: 10_000,
  totalMs: 25_000,
  redirects: 5,
  bodyBytes: 64 * 1024,
} as const;
