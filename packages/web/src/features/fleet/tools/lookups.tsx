import { t } from '../../../app/i18n.ts';
import { Tag } from '../../../ui/status.tsx';
import type { RunDetail } from './labels.ts';

const texts = {
  ENOTFOUND: 'tools.dns_not_found',
  ENODATA: 'tools.dns_no_data',
  ETIMEOUT: 'tools.dns_timeout',
  ECONNREFUSED: 'tools.dns_refused',
  EREFUSED: 'tools.dns_refused',
  ESERVFAIL: 'tools.dns_failed',
} as const;

export function Lookups({ lookups }: { lookups: NonNullable<RunDetail['lookups']> }) {
  if (lookups.length === 0) return <p className="notice notice-warn">{t('tools.dns_no_server')}</p>;
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t('tools.server')}</th>
          <th>{t('tools.dns_answers')}</th>
          <th>{t('wan.line_latency')}</th>
        </tr>
      </thead>
      <tbody>
        {lookups.map(({ server, answers, error, ms }) => (
          <tr key={server}>
            <td className="mono">{server}</td>
            <td>
              {error !== null && <Tag tone="bad">{error in texts ? t(texts[error as keyof typeof texts]) : error}</Tag>}
              {error === null && answers.length === 0 && t('tools.dns_no_data')}
              {answers.map(({ type, value, ttl }) => (
                <div key={`${type} ${value}`}>
                  <span className="dim">{type}</span> <span className="mono">{value}</span>
                  {ttl !== null && <span className="small dim"> · TTL {t('tools.seconds_n', { n: ttl })}</span>}
                </div>
              ))}
            </td>
            <td className="nowrap">{ms === null ? '—' : t('wan.ms', { n: Math.round(ms * 10) / 10 })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
