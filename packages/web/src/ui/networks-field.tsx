import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { call } from '../app/client.ts';
import { t } from '../app/i18n.ts';
import { Choice } from './choice.tsx';
import { Failed } from './empty.tsx';
import { CheckField } from './field.tsx';
import { networkLabel } from './network-labels.ts';
import { useShownError } from './shown-error.ts';
import { Loading } from './skeleton.tsx';
import { StatusSign } from './status.tsx';
import { useDebounced } from './use-debounced.ts';

const SHOWN = 50;

interface Picked {
  value: readonly string[];
  onChange: (gwids: readonly string[]) => void;
  /** Of the own account, while another is active. */
  own?: boolean;
  error?: string | null | undefined;
}

/** Selects all networks, future ones included (null), or ticked ones. */
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

export function NetworkPicks({ value, onChange, own = false, error }: Picked) {
  const wrong = useShownError(error, value);
  const toggle = (gwid: string) =>
    onChange(value.includes(gwid) ? value.filter((one) => one !== gwid) : [...value, gwid]);
  return (
    <Networks
      label={t('pick.networks')}
      own={own}
      wrong={wrong}
      chosen={t('pick.chosen', { n: value.length })}
      box={({ gwid }, name) => (
        <CheckField key={gwid} checked={value.includes(gwid)} onChange={() => toggle(gwid)}>
          {name}
        </CheckField>
      )}
    />
  );
}

export function NetworkPick(props: {
  label: string;
  value: Named | null;
  not?: string;
  onChange: (network: Named) => void;
}) {
  const { label, value, not, onChange } = props;
  const name = useId();
  return (
    <Networks
      label={label}
      own={false}
      wrong={null}
      chosen={value?.remark ?? t('pick.none_chosen')}
      box={({ gwid, remark }, shown) =>
        gwid !== not && (
          <label key={gwid} className="check">
            <input
              type="radio"
              className="box"
              name={name}
              checked={gwid === value?.gwid}
              onChange={() => onChange({ gwid, remark })}
            />
            <span>{shown}</span>
          </label>
        )
      }
    />
  );
}

interface Named {
  gwid: string;
  remark: string;
}

function Networks(props: {
  label: string;
  own: boolean;
  wrong: string | null;
  chosen: string;
  /** `name` distinguishes networks of the same name. */
  box: (network: Named, name: ReactNode) => ReactNode;
}) {
  const { label, own, wrong, chosen, box } = props;
  const [word, setWord] = useState('');
  const searched = useDebounced(word.trim());
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
  return (
    <fieldset className="picks" aria-invalid={wrong ? true : undefined} tabIndex={-1}>
      <legend className="sr">{label}</legend>
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
                // Enter must not submit the form
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
            <div className="pick-list">
              {list.map((network) =>
                box(
                  network,
                  <>
                    <StatusSign status={network.status} /> {networkLabel(network, list)}
                  </>,
                ),
              )}
              {total === 0 && <p className="quiet">{t('empty.no_hits')}</p>}
              {total > list.length && <p className="small dim">{t('pick.more', { n: total - list.length })}</p>}
            </div>
            <p className="small dim" role="status">
              {chosen}
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

export function networksWrong(gwids: readonly string[] | null): string | null {
  return gwids?.length === 0 ? t('validation.minItems', { min: 1 }) : null;
}

/** Returns how many networks a permission covers; null: all, future ones included. */
export function networksText(gwids: readonly string[] | null): string {
  return gwids ? t('pick.count', { n: gwids.length }) : t('pick.all');
}
