import { t } from '../../../app/i18n.ts';
import { bytes, date } from '../../../ui/format.ts';
import { Tag } from '../../../ui/status.tsx';
import type { RunDetail } from './labels.ts';
import { ms } from './ms.ts';

const words = {
  forbidden: 'tools.check_forbidden',
  not_found: 'tools.dns_not_found',
  no_dns: 'tools.check_no_dns',
  refused: 'tools.check_refused',
  timeout: 'tools.check_timeout',
  unreachable: 'tools.check_unreachable',
  reset: 'tools.check_reset',
  tls: 'tools.check_tls',
  protocol: 'tools.check_protocol',
} as const;

function errorText(error: string): string {
  return error in words ? t(words[error as keyof typeof words]) : error;
}

export function TcpCheck({ tcp, port }: { tcp: NonNullable<RunDetail['tcp']>; port: number | undefined }) {
  return (
    <dl className="facts">
      <dt>{t('tools.port')}</dt>
      <dd>
        {port}{' '}
        <Tag tone={tcp.error === null ? 'ok' : 'bad'}>
          {tcp.error === null ? t('tools.check_open') : errorText(tcp.error)}
        </Tag>
      </dd>
      <dt>{t('wan.line_address')}</dt>
      <dd className="mono">{tcp.address ?? '—'}</dd>
      <dt>{t('wan.line_latency')}</dt>
      <dd>{ms(tcp.ms)}</dd>
    </dl>
  );
}

const tones = ['bad', 'none', 'ok', 'info', 'warn', 'bad'] as const;

export function HttpCheck({
  http: { steps, certificate, bytes: size, more },
}: {
  http: NonNullable<RunDetail['http']>;
}) {
  return (
    <div className="stack stack-s">
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('tools.url')}</th>
            <th>{t('tools.status')}</th>
            <th>DNS</th>
            <th>TCP</th>
            <th>TLS</th>
            <th>{t('tools.first_byte')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.url}>
              <td>
                <span className="name-cell two-lines">
                  <span className="break">{step.url}</span>
                  <span className="mono dim">{step.address ?? '—'}</span>
                </span>
              </td>
              <td>
                {step.status !== null && (
                  <Tag tone={tones[Math.floor(step.status / 100)] ?? 'none'}>{`${step.status}`}</Tag>
                )}
                {step.error !== null && <Tag tone="bad">{errorText(step.error)}</Tag>}
              </td>
              <td className="nowrap">{ms(step.dns_ms)}</td>
              <td className="nowrap">{ms(step.connect_ms)}</td>
              <td className="nowrap">{ms(step.tls_ms)}</td>
              <td className="nowrap">{ms(step.first_byte_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small dim">
        {more ? t('tools.body_more', { size: bytes(size) }) : t('tools.body', { size: bytes(size) })}
      </p>
      {certificate && (
        <dl className="facts">
          <dt>{t('tools.certificate')}</dt>
          <dd>
            {certificate.subject}{' '}
            <Tag tone={certificate.error === null ? 'ok' : 'bad'}>
              {certificate.error === null
                ? t('tools.certificate_valid')
                : t('tools.certificate_wrong', { code: certificate.error })}
            </Tag>
          </dd>
          <dt>{t('tools.certificate_issuer')}</dt>
          <dd>{certificate.issuer || '—'}</dd>
          <dt>{t('tools.certificate_until')}</dt>
          <dd>{certificate.until === null ? '—' : date(new Date(certificate.until))}</dd>
        </dl>
      )}
    </div>
  );
}
