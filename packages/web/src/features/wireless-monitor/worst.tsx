import type { AirPart } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count, mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatusTag, Tag } from '../../ui/status.tsx';
import { levelLooks, levelOf, measuredText } from './labels.ts';
import { Panel } from './panel.tsx';

type Worst = Data<'/api/v3/wireless/worst'>;
type Row = Worst['list'][number];

const parts: readonly AirPart[] = ['utilization', 'weak', 'retries', 'noise', 'load'];

export function WorstPanel({ answer }: { answer: Answer<Worst> }) {
  return (
    <Panel title={t('radio.worst')} what={t('radio_what.worst')} answer={answer} height={360}>
      {(data) =>
        data.list.length === 0 ? (
          <Empty icon="wifi" title={t('radio.worst_none')} small>
            {t('radio.worst_none_body')}
          </Empty>
        ) : losing(data).length === 0 ? (
          <Empty icon="check" title={t('radio.all_full')} small>
            {t('radio.compared', { n: count(data.compared) })}
          </Empty>
        ) : (
          <>
            <p className="small dim">{t('radio.compared', { n: count(data.compared) })}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
            <section className="radio-worst" aria-label={t('radio.worst')} tabIndex={0}>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t('radio.ap')}</th>
                    <th scope="col">{t('radio.network')}</th>
                    <th scope="col">{t('radio.points')}</th>
                    <th scope="col">{t('radio.pulled_by')}</th>
                    {parts.map((part) => (
                      <th key={part} scope="col" className="radio-number wraps">
                        {t(`radio_part.${part}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {losing(data).map((row) => (
                    <Line key={row.serial} row={row} />
                  ))}
                </tbody>
              </table>
            </section>
            {losing(data).length < data.list.length && (
              <p className="small dim">{t('radio.rest_full', { n: count(data.compared - losing(data).length) })}</p>
            )}
          </>
        )
      }
    </Panel>
  );
}

const FULL = 100;
const losing = (data: Worst): Row[] => data.list.filter(({ score }) => score < FULL);

function Line({ row }: { row: Row }) {
  // a small loss is shown without a warning colour
  const alarming = levelOf(row.score) !== 'good';
  const measured = new Map<string, number>(row.parts.map((part) => [part.part, part.measured]));
  return (
    <tr>
      <th scope="row" className="radio-ap">
        <Link
          to={`/network/aps/${row.gwid}`}
          search={{ device: row.serial }}
          title={`${row.name} · ${mac(row.serial)}`}
          className="radio-name"
        >
          {row.name}
        </Link>
        {row.status !== 'online' && <StatusTag status={row.status} />}
      </th>
      <td>
        <Link to={`/wireless_monitor/${row.gwid}`} title={row.network} className="radio-name">
          {row.network}
        </Link>
      </td>
      <td>
        <Tag {...levelLooks[levelOf(row.score)]}>{String(row.score)}</Tag>
      </td>
      <td className="nowrap">
        {row.pulled_by ? t(`radio_part.${row.pulled_by}`) : <span className="dim">{t('radio.nothing_pulls')}</span>}
      </td>
      {parts.map((part) => (
        <td
          key={part}
          className="radio-number"
          data-pulls={part === row.pulled_by ? (alarming ? 'much' : 'little') : undefined}
        >
          <Measured part={part} value={measured.get(part)} />
        </td>
      ))}
    </tr>
  );
}

function Measured({ part, value }: { part: AirPart; value: number | undefined }) {
  if (value === undefined) return <span className="dim">—</span>;
  return part === 'load' ? count(Math.round(value * 10) / 10) : measuredText(part, value);
}
