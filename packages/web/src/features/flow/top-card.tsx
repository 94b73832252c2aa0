import type { FlowRanking, flow, InputOf } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { AnswerCard } from '../../ui/answer-card.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { bytes, count, mac, percent } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { download, toCsv } from '../../ui/table/csv.ts';
import { notifyError } from '../../ui/toast.tsx';
import { rankings } from './choices.ts';

type Top = Data<'/api/v3/flow/top'>;
type Row = Top['list'][number];
type Of = InputOf<typeof flow.flowSeries>;

/** Rows of a file. */
const EXPORTED = 1000;

interface Props {
  of: Of;
  options: { refetchMs: number; keepPrevious: boolean };
  onClient: (mac: string) => void;
}

export function TopCard({ of, options, onClient }: Props) {
  const [search, change] = useSearch();
  const by = oneOf(search.by, rankings) ?? 'client';
  const answer = useRead('/api/v3/flow/top', { ...of, by }, options);
  const save = async () => {
    try {
      const { list } = await call('/api/v3/flow/top', { ...of, by, limit: EXPORTED });
      download(`flow-${by}-${of.span}.csv`, toCsv(columns(), list), 'text/csv');
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <AnswerCard
      title={t('flow.top')}
      answer={answer}
      height={320}
      actions={
        <Button icon="download" onClick={() => void save()}>
          {t('flow.export')}
        </Button>
      }
    >
      {(data) => (
        <div className="stack stack-s">
          <Choice
            label={t('flow.by')}
            hideLabel
            value={by}
            options={rankings.map((value) => ({ value, label: t(`flow.by_${value}`) }))}
            onChange={(value) => change({ by: value === 'client' ? undefined : value })}
          />
          {data.list.length === 0 ? (
            <p className="dim">{t('flow.quiet')}</p>
          ) : (
            <>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t(`flow.by_${by}`)}</th>
                    <th scope="col" className="flow-number">
                      {t('flow.down')}
                    </th>
                    <th scope="col" className="flow-number">
                      {t('flow.up')}
                    </th>
                    <th scope="col" className="flow-number">
                      {t('flow.share')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.list.map((row) => (
                    <tr key={row.key}>
                      <th scope="row">
                        <Name row={row} by={by} onClient={onClient} />
                      </th>
                      <td className="flow-number">{bytes(row.down)}</td>
                      <td className="flow-number">{bytes(row.up)}</td>
                      <td className="flow-number">{percent(shareOf(row, data))}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <p className="small dim">{t('flow.of_all', { n: count(data.list.length), total: count(data.total) })}</p>
            </>
          )}
        </div>
      )}
    </AnswerCard>
  );
}

function Name({ row, by, onClient }: { row: Row; by: FlowRanking; onClient: (mac: string) => void }) {
  if (by === 'network') return <Link to={`/flow_monitor/${row.key}`}>{row.name}</Link>;
  if (by === 'gateway') return <span title={mac(row.key)}>{row.name}</span>;
  return (
    <Button kind="link" onClick={() => onClient(row.key)}>
      {row.name}
    </Button>
  );
}

function shareOf({ down, up }: Row, { sum }: Top): number {
  const all = sum.down + sum.up;
  return all > 0 ? ((down + up) / all) * 100 : 0;
}

const columns = () => [
  { title: t('flow.key'), text: (row: Row) => row.key },
  { title: t('flow.name'), text: (row: Row) => row.name },
  { title: t('flow.down_bytes'), text: (row: Row) => row.down },
  { title: t('flow.up_bytes'), text: (row: Row) => row.up },
  { title: t('flow.uses'), text: (row: Row) => row.uses },
];
