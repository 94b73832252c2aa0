import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { AnswerCard } from '../../ui/answer-card.tsx';
import { count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';

type Sources = Data<'/api/v3/flow/sources'>;

export function Coverage({ answer: { data } }: { answer: Answer<Sources> }) {
  if (!data) return null;
  return <p className="small dim">{t('flow.coverage', { n: count(data.total), networks: count(data.networks) })}</p>;
}

export function SourcesCard({ answer }: { answer: Answer<Sources> }) {
  return (
    <AnswerCard title={t('flow.sources')} answer={answer} height={120}>
      {(data) => (
        <div className="stack stack-s">
          <p className="small dim">{t('flow.sources_body')}</p>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('flow.by_network')}</th>
                <th scope="col">{t('flow.kind')}</th>
                <th scope="col">{t('flow.since')}</th>
                <th scope="col">{t('flow.last_report')}</th>
              </tr>
            </thead>
            <tbody>
              {data.list.map((row) => (
                <tr key={row.gwid}>
                  <th scope="row">
                    <Link to={`/flow_monitor/${row.gwid}`}>{row.network}</Link>
                  </th>
                  <td>{t(`flow.kind_${row.kind}`)}</td>
                  <td>
                    <ShortTime at={row.since} />
                  </td>
                  <td>
                    <RelativeTime at={row.last_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.total > data.list.length && (
            <p className="small dim">{t('flow.of_all', { n: count(data.list.length), total: count(data.total) })}</p>
          )}
        </div>
      )}
    </AnswerCard>
  );
}
