import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { listed } from '../../ui/refusal.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { Candidate } from './plan.ts';

const shown = 50;

interface Props {
  picked: ReadonlySet<string>;
  onPick: (candidate: Candidate, on: boolean) => void;
}

/** Gateways that can join, and why the others cannot. */
export function Candidates({ picked, onPick }: Props) {
  const [word, setWord] = useState('');
  const keyword = useDebounced(word.trim());
  const { data, error, refetch } = useRead(
    '/api/v3/sdwan/candidate/list',
    { page: 1, limit: shown, ...(keyword ? { keyword } : {}) },
    { keepPrevious: true },
  );
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  if (data?.total === 0 && !keyword) return <NoGateway />;
  return (
    <Loading until={data !== undefined}>
      <div className="stack">
        <input
          type="search"
          className="input input-s"
          aria-label={t('sdwan.find_gateway')}
          placeholder={t('sdwan.find_gateway')}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        <table className="plain-table">
          <caption className="sr">{t('sdwan.candidates')}</caption>
          <thead>
            <tr>
              {(['name', 'status', 'model', 'public_ip', 'lans', 'used'] as const).map((key) => (
                <th key={key} scope="col">
                  {t(`sdwan.col_${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data?.list.map((one) => (
              <tr key={one.key}>
                <td>
                  <CheckField
                    checked={picked.has(one.key)}
                    disabled={one.reason !== null && !picked.has(one.key)}
                    onChange={(on) => onPick(one, on)}
                  >
                    {one.name}
                  </CheckField>
                  {one.reason && <p className="small dim">{t(`sdwan.candidate.${one.reason}`)}</p>}
                </td>
                <td>
                  <StatusTag status={one.online ? 'online' : 'offline'} />
                </td>
                <td>{one.model ?? '—'}</td>
                <td className={one.public_ip === null ? 'dim' : 'mono'}>{one.public_ip ?? t('sdwan.behind_nat')}</td>
                <td className="mono">{one.lans.map(({ prefix }) => prefix).join(' ') || '—'}</td>
                <td>{one.networks.length > 0 ? listed(one.networks) : '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {data && data.total === 0 && <p className="quiet">{t('empty.no_hits')}</p>}
        {data && data.total > data.list.length && (
          <p className="small dim">{t('pick.more', { n: data.total - data.list.length })}</p>
        )}
        {data?.list.every(({ reason }) => reason !== null) && !keyword && <NoGateway />}
      </div>
    </Loading>
  );
}

function NoGateway() {
  return (
    <Empty
      small
      icon="server"
      title={t('sdwan.no_gateway')}
      actions={
        <Link to="/waiting_devices" className="btn">
          {t('sdwan.no_gateway_act')}
        </Link>
      }
    >
      {t('sdwan.no_gateway_body')}
    </Empty>
  );
}
