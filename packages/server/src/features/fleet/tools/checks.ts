import type { fleetTools as contract, DataOf } from '@yunxun/contract';
import {
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  type EdgeCertificate,
  type EdgeHttpCheck,
  type EdgeHttpStep,
  type EdgeTcpCheck,
  edgeCheckLimits,
} from '@yunxun/contract/device';

type Detail = DataOf<typeof contract.toolDetail>;
export type TcpCheck = NonNullable<Detail['tcp']>;
export type HttpCheck = NonNullable<Detail['http']>;

export function readTcpCheck(tcp: unknown): TcpCheck {
  const { address, ms, error } = asRecord<EdgeTcpCheck>(tcp);
  const time = asNumber(ms);
  return { address: asText(address, 45), ms: time, error: asText(error, 200) ?? (time === null ? 'protocol' : null) };
}

export function readHttpCheck(http: unknown): HttpCheck {
  const { steps, certificate, bytes, more } = asRecord<EdgeHttpCheck>(http);
  return {
    steps: asList(steps)
      .slice(0, edgeCheckLimits.redirects + 1)
      .map((entry) => {
        const step = asRecord<EdgeHttpStep>(entry);
        return {
          url: asText(step.url, 2048) ?? '',
          address: asText(step.address, 45),
          status: asCount(step.status),
          dns_ms: asNumber(step.dns_ms),
          connect_ms: asNumber(step.connect_ms),
          tls_ms: asNumber(step.tls_ms),
          first_byte_ms: asNumber(step.first_byte_ms),
          error: asText(step.error, 200),
        };
      }),
    certificate: readCertificate(certificate),
    bytes: asCount(bytes) ?? 0,
    more: more === true,
  };
}

function readCertificate(value: unknown): HttpCheck['certificate'] {
  const { subject, issuer, until, error } = asRecord<EdgeCertificate>(value);
  if (typeof subject !== 'string') return null;
  const at = Date.parse(asText(until, 40) ?? '');
  return {
    subject: asText(subject, 200) ?? '',
    issuer: asText(issuer, 200) ?? '',
    until: Number.isNaN(at) ? null : new Date(at).toISOString(),
    error: asText(error, 100),
  };
}
