import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { RemoteTarget } from './remote-session.ts';

const maxWord = 64;

interface TargetProps {
  onChange: (target: RemoteTarget | null) => void;
  error: string | null | undefined;
}

/** Finds devices and peripheral devices by a word. */
export function TargetField({ onChange, error }: TargetProps) {
  const [word, setWord] = useState('');
  const [chosen, setChosen] = useState('');
  const keyword = useDebounced(word.trim());
  const { data } = useRead(
    '/api/v3/search/query',
    { keyword, kinds: ['device', 'peripheral'], limit: 20 },
    { enabled: keyword !== '', keepPrevious: true },
  );
  const hits = keyword === '' ? [] : (data?.list ?? []);
  const search = (typed: string) => {
    setWord(typed);
    setChosen('');
    onChange(null);
  };
  const choose = (id: string) => {
    setChosen(id);
    const hit = hits.find((one) => one.id === id);
    onChange(!hit ? null : hit.kind === 'device' ? { serial: hit.id } : { peripheral_id: hit.id });
  };
  return (
    <>
      <TextField label={t('remote.link_search')} value={word} onChange={search} maxLength={maxWord} autoFocus />
      <SelectField
        label={t('remote.target')}
        value={chosen}
        options={[
          { value: '', label: t('remote.link_choose') },
          ...hits.map(({ id, title, network }) => ({
            value: id,
            label: network === null ? title : t('remote.tab', { target: title, kind: network }),
          })),
        ]}
        onChange={choose}
        error={error}
      />
    </>
  );
}
