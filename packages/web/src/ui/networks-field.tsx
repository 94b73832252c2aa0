import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/client.ts';
import { t } from '../app/i18n.ts';
import { Choice } from './choice.tsx';
import { Failed } from './empty.tsx';
import { CheckField } from './field.tsx';
import { networkLabel } from './network-labels.ts';
import { useSaid } from './said.ts';
import { Loading } from './skeleton.tsx';
import { useRested } from './use-rested.ts';

/** Networks listed at once; a word, searched on the server, narrows them. */
const SHOWN = 50;

interface Picked {
  value: readonly string[];
  onChange: (gwids: readonly string[]) => void;
  /** Networks of the person's own account, whichever account is acted in. */
  own?: boolean;
  error?: string | null | undefined;
}

/** All networks of an account, those to come included (null), or the ticked ones. */
export function NetworksField({
  value,
  onChange,
  ...rest
}: Omit<Picked, 'value' | 'onChange'> & {
  value: readonly string[] | null;
  onChange: (gwids: readonly string[] | null) => void;
}) {
  return (
    <>
      <Choice
        label={t('pick.networks')}
        value={value ? 'some' : 'all'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
        options={[
          { value: 'all', label: t('pick.all') },
          { value: 'some', label: t('pick.some') },
        ]}
      />
      {value && <NetworkPicks value={value} onChange={onChange} {...rest} />}
    </>
  );
}

/** Networks to tick; a word narrows them. */
export function NetworkPicks({ value, onChange, own = false, error: said }: Picked) {
  const wrong = useSaid(said, value);
  const [word, setWord] = useState('');
  const searched = useRested(word.trim());
  const { data, error, refetch } = useQuery({
    queryKey: ['/api/v3/network/list', 'to choose', own, searched],
    queryFn: ({ signal }) => {
      const query = { page: 1, limit: SHOWN, sort: 'remark' as const };
      return call('/api/v3/network/list', searched ? { ...query, keyword: searched } : query, { signal, home: own });
    },
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const { list, total } = data ?? { list: [], total: 0 };
  const toggle = (gwid: string) =>
    onChange(value.includes(gwid) ? value.filter((one) => one !== gwid) : [...value, gwid]);
  return (
    <fieldset className="picks" aria-invalid={wrong ? true : undefined} tabIndex={-1}>
      <legend className="sr">{t('pick.networks')}</legend>
      <Loading until={data !== undefined}>
        {total === 0 && searched === '' ? (
          <p className="quiet">{own ? t('pick.none_own') : t('pick.none')}</p>
        ) : (
          <>
            <input
              className="input input-s"
              aria-label={t('pick.find')}
              placeholder={t('pick.find')}
              value={word}
              onChange={(event) => setWord(event.target.value)}
              onKeyDown={(event) => {
                // Enter looks for a network here; it does not send the form
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
            <div className="pick-list">
              {list.map((network) => (
                <CheckField
                  key={network.gwid}
                  checked={value.includes(network.gwid)}
                  onChange={() => toggle(network.gwid)}
                >
                  {networkLabel(network, list)}
                </CheckField>
              ))}
              {total === 0 && <p className="quiet">{t('empty.no_hits')}</p>}
              {total > list.length && <p className="small dim">{t('pick.more', { n: total - list.length })}</p>}
            </div>
            <p className="small dim" role="status">
              {t('pick.chosen', { n: value.length })}
            </p>
          </>
        )}
      </Loading>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}

/** What is wrong with ticked networks before they are sent. */
export function networksWrong(gwids: readonly string[] | null): string | null {
  return gwids?.length === 0 ? t('validation.minItems', { min: 1 }) : null;
}

/** How many networks a right covers; null: all, those to come included. */
export function networksText(gwids: readonly string[] | null): string {
  return gwids ? t('pick.count', { n: gwids.length }) : t('pick.all');
}
