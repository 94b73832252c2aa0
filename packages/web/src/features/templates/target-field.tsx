import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField } from '../../ui/field.tsx';
import { NetworkPicks } from '../../ui/networks-field.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { type TargetKind, targetKinds } from './targets.ts';

interface Picked {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

export function TargetField(
  props: Picked & {
    kind: TargetKind;
    of: 'ac' | 'wireless';
    onKind: (kind: TargetKind) => void;
    error?: string | null | undefined;
    off?: boolean;
  },
) {
  const { kind, of, value, onChange, error, off } = props;
  return (
    <>
      <Choice
        label={t(off ? 'take_off.targets' : 'push.targets')}
        value={kind}
        options={targetKinds(of).map((one) => ({ value: one, label: t(`push.by_${one}`) }))}
        onChange={props.onKind}
      />
      {!off && <p className="small quiet">{t(of === 'ac' ? `push.ac_by_${kind}_hint` : `push.by_${kind}_hint`)}</p>}
      {kind === 'network' && <NetworkPicks value={value} onChange={onChange} error={error} />}
      {kind === 'group' && <Groups value={value} onChange={onChange} />}
      {kind === 'tag' && <Tags value={value} onChange={onChange} />}
      {kind === 'model' && <Models of={of} value={value} onChange={onChange} />}
      {kind === 'device' && <Devices of="ap" value={value} onChange={onChange} />}
      {kind === 'switch' && <Devices of="switch" value={value} onChange={onChange} />}
      {kind !== 'network' && error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

interface Choosable {
  value: string;
  label: string;
}

function Ticks({ all, value, onChange, none }: Picked & { all: readonly Choosable[]; none: string }) {
  if (all.length === 0) return <p className="quiet">{none}</p>;
  return (
    <div className="pick-list">
      {all.map((one) => (
        <CheckField
          key={one.value}
          checked={value.includes(one.value)}
          onChange={(on) => onChange(on ? [...value, one.value] : value.filter((each) => each !== one.value))}
        >
          {one.label}
        </CheckField>
      ))}
    </div>
  );
}

function Groups(props: Picked) {
  const { data, error, refetch } = useRead('/api/v3/ap/group/list', {});
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const all = data?.list.map(({ id, name, devices }) => ({
    value: id,
    label: t('push.with_devices', { name, n: devices }),
  }));
  return (
    <Loading until={all !== undefined}>{all && <Ticks {...props} all={all} none={t('push.no_groups')} />}</Loading>
  );
}

function Tags(props: Picked) {
  const { data, error, refetch } = useRead('/api/v3/network/tag/list', {});
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const all = data?.list.map(({ tag }) => ({ value: tag, label: tag }));
  return <Loading until={all !== undefined}>{all && <Ticks {...props} all={all} none={t('push.no_tags')} />}</Loading>;
}

function Models({ of, ...props }: Picked & { of: 'ac' | 'wireless' }) {
  const { data, error, refetch } = useRead('/api/v3/wireless_template/models', { kind: of });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const all = data?.list.map(({ model, devices }) => ({
    value: model,
    label: t('push.with_devices', { name: model, n: devices }),
  }));
  return (
    <Loading until={all !== undefined}>{all && <Ticks {...props} all={all} none={t('push.no_models')} />}</Loading>
  );
}

const SHOWN = 50;

function Devices({ of, ...props }: Picked & { of: 'ap' | 'switch' }) {
  const [word, setWord] = useState('');
  const searched = useDebounced(word.trim());
  const { data, error, refetch } = useQuery({
    queryKey: ['/api/v3/ap/list', 'to choose', of, searched],
    queryFn: ({ signal }) =>
      call(
        '/api/v3/ap/list',
        { page: 1, limit: SHOWN, sort: 'remark', kind: of, ...(searched ? { keyword: searched } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const all = data?.list.map(({ serial, remark, model, network }) => ({
    value: serial,
    label: [remark, model ?? serial, network].filter(Boolean).join(' · '),
  }));
  const more = (data?.total ?? 0) - (all?.length ?? 0);
  return (
    <>
      <input
        className="input input-s"
        aria-label={t(of === 'ap' ? 'push.find_device' : 'push.find_switch')}
        placeholder={t(of === 'ap' ? 'push.find_device' : 'push.find_switch')}
        value={word}
        onChange={(event) => setWord(event.target.value)}
        onKeyDown={(event) => {
          // Enter searches; it must not submit the form
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <Loading until={all !== undefined}>
        {all && <Ticks {...props} all={all} none={t('empty.no_hits')} />}
        {more > 0 && <p className="small dim">{t('pick.more', { n: more })}</p>}
      </Loading>
      <p className="small dim" role="status">
        {t('push.chosen_devices', { n: props.value.length })}
      </p>
    </>
  );
}
