import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Choice } from '../../ui/choice.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { gatherAll } from '../../ui/table/gather.ts';

type Network = Row<'/api/v3/network/list'>;

/** Networks listed at once; a word narrows them. */
const SHOWN = 50;

/** All networks of the account acted in, those to come included (null), or the ticked ones. */
export function NetworksField(props: {
  value: readonly string[] | null;
  onChange: (gwids: readonly string[] | null) => void;
  error?: string | null | undefined;
}) {
  const { value } = props;
  return (
    <>
      <Choice
        label={t('member.networks')}
        value={value ? 'some' : 'all'}
        onChange={(chosen) => props.onChange(chosen === 'all' ? null : [])}
        options={[
          { value: 'all', label: t('member.networks_all') },
          { value: 'some', label: t('member.networks_pick') },
        ]}
      />
      {value && <Picks value={value} onChange={props.onChange} error={props.error} />}
    </>
  );
}

function Picks(props: {
  value: readonly string[];
  onChange: (gwids: readonly string[]) => void;
  error?: string | null | undefined;
}) {
  const [word, setWord] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['/api/v3/network/list', 'to choose'],
    queryFn: () =>
      gatherAll<Network>(
        (page, limit) => call('/api/v3/network/list', { page, limit }),
        (row) => row.gwid,
      ),
  });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const hits = (data ?? []).filter(({ remark }) => remark.toLowerCase().includes(word.trim().toLowerCase()));
  const toggle = (gwid: string) =>
    props.onChange(props.value.includes(gwid) ? props.value.filter((one) => one !== gwid) : [...props.value, gwid]);
  return (
    <fieldset className="picks" aria-invalid={props.error ? true : undefined} tabIndex={-1}>
      <legend className="sr">{t('member.networks')}</legend>
      <Loading until={data !== undefined}>
        {data?.length === 0 ? (
          <p className="quiet">{t('member.no_networks')}</p>
        ) : (
          <>
            <input
              className="input input-s"
              aria-label={t('member.find_network')}
              placeholder={t('member.find_network')}
              value={word}
              onChange={(event) => setWord(event.target.value)}
              onKeyDown={(event) => {
                // Enter looks for a network here; it does not send the form
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
            <div className="pick-list">
              {hits.slice(0, SHOWN).map(({ gwid, remark }) => (
                <CheckField key={gwid} checked={props.value.includes(gwid)} onChange={() => toggle(gwid)}>
                  {remark}
                </CheckField>
              ))}
              {hits.length === 0 && <p className="quiet">{t('empty.no_hits')}</p>}
              {hits.length > SHOWN && (
                <p className="small dim">{t('member.more_networks', { n: hits.length - SHOWN })}</p>
              )}
            </div>
            <p className="small dim" role="status">
              {t('member.networks_some', { n: props.value.length })}
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

/** What is wrong with ticked networks before they are sent. */
export function networksWrong(gwids: readonly string[] | null): string | null {
  return gwids?.length === 0 ? t('validation.minItems', { min: 1 }) : null;
}
