import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Failed } from '../../ui/empty.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { gatherAll } from '../../ui/table/gather.ts';

/** Networks listed at once; the word narrows them. */
const SHOWN = 50;
type Network = Row<'/api/v3/network/list'>;

/** Networks of the person's own account to tick, narrowed by a word. */
export function NetworksField(props: {
  chosen: ReadonlySet<string>;
  toggle: (gwid: string) => void;
  error?: string | null | undefined;
}) {
  const [word, setWord] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['own networks'],
    queryFn: () =>
      gatherAll<Network>(
        (page, limit) => call('/api/v3/network/list', { page, limit }, { home: true }),
        (row) => row.gwid,
      ),
  });
  const hits = (data ?? []).filter(({ remark }) => remark.toLowerCase().includes(word.trim().toLowerCase()));
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  return (
    <fieldset className="picks" aria-invalid={props.error ? true : undefined} tabIndex={-1}>
      <legend className="sr">{t('token.networks')}</legend>
      <Loading until={data !== undefined}>
        {data?.length === 0 ? (
          <p className="quiet">{t('token.no_networks')}</p>
        ) : (
          <>
            <input
              className="input input-s"
              aria-label={t('token.find_network')}
              placeholder={t('token.find_network')}
              value={word}
              onChange={(event) => setWord(event.target.value)}
              onKeyDown={(event) => {
                // Enter looks for a network here; it does not make the token
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
            <div className="pick-list">
              {hits.slice(0, SHOWN).map(({ gwid, remark }) => (
                <CheckField key={gwid} checked={props.chosen.has(gwid)} onChange={() => props.toggle(gwid)}>
                  {remark}
                </CheckField>
              ))}
              {hits.length === 0 && <p className="quiet">{t('empty.no_hits')}</p>}
              {hits.length > SHOWN && (
                <p className="small dim">{t('token.more_networks', { n: hits.length - SHOWN })}</p>
              )}
            </div>
            <p className="small dim" role="status">
              {t('token.chosen', { n: props.chosen.size })}
            </p>
          </>
        )}
      </Loading>
      {props.error && (
        <p className="field-error" role="alert">
          {props.error}
        </p>
      )}
    </fieldset>
  );
}
