import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { networkLabel } from '../../../ui/network-labels.ts';
import { Loading } from '../../../ui/skeleton.tsx';
import { useDebounced } from '../../../ui/use-debounced.ts';

const listed = 200;

export function useNetworkChoice() {
  const [word, setWord] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const keyword = useDebounced(word.trim());
  const { data, isPlaceholderData } = useRead(
    '/api/v3/network/list',
    { page: 1, limit: listed, sort: 'remark', ...(keyword && { keyword }) },
    { keepPrevious: true },
  );
  return {
    word,
    setWord,
    chosen,
    setChosen,
    networks: data?.list ?? null,
    settled: data !== undefined && !isPlaceholderData && word.trim() === keyword,
    many: keyword !== '' || (data?.total ?? 0) > listed,
  };
}

export function NetworkChoice({
  choice: { networks, many, word, setWord, setChosen },
  value,
  more = [],
}: {
  choice: ReturnType<typeof useNetworkChoice>;
  value: string;
  more?: readonly { value: string; label: string }[];
}) {
  return (
    <>
      {many && <TextField label={t('pick.find')} maxLength={100} value={word} onChange={setWord} />}
      <Loading until={networks !== null} lines={2}>
        <SelectField
          label={t('waiting.adopt_to')}
          value={value}
          onChange={setChosen}
          options={[
            ...(networks ?? []).map((row) => ({ value: row.gwid, label: networkLabel(row, networks ?? []) })),
            ...more,
          ]}
        />
      </Loading>
    </>
  );
}
