export interface CertificateNames {
  subject?: { CN?: string | string[] };
  subjectaltname?: string;
}

/** Checks like the firmware: common name or any alternative name; `*.x` matches any depth (looser than RFC 6125). */
export function certificateNames(host: string, certificate: CertificateNames): boolean {
  const common = certificate.subject?.CN;
  const names = [
    ...(typeof common === 'string' ? [common] : (common ?? [])),
    ...(certificate.subjectaltname ?? '')
      .split(',')
      .map((entry) => entry.trim().replace(/^(DNS|IP Address):/i, ''))
      .filter((entry) => entry !== ''),
  ];
  const wanted = host.toLowerCase();
  return names.some((name) => matches(wanted, name.toLowerCase()));
}

function matches(host: string, name: string): boolean {
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}
