import { useState } from 'react';
import type { Data, Input } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { useAnswerable } from '../../ui/dialog-host.tsx';
import { Failed } from '../../ui/empty.tsx';
import { NetworkPicks } from '../../ui/networks-field.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { DropFacts } from '../configuration/index.ts';

type Answer = Data<'/api/v3/user_online/block_preview'>;
type Elsewhere = NonNullable<Input<'/api/v3/user_online/block'>['elsewhere']>;

export interface BlockChoice {
  /** Absent: all networks. */
  gwids?: string[];
  elsewhere: Elsewhere;
}

type Scope = 'all' | 'here' | 'some';

const elsewheres = ['window', 'waves', 'now'] as const satisfies readonly Elsewhere[];

export function BlockPlan(props: {
  macs: readonly string[];
  list: 'blocked' | null;
  here: readonly { gwid: string; name: string }[];
  /** Networks visible to the person; null: all. */
  own: readonly string[] | null;
  onChange: (choice: BlockChoice) => void;
}) {
  const { macs, list, here, own, onChange } = props;
  const [scope, setScope] = useState<Scope>(own && list && here.length > 0 ? 'here' : 'all');
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [elsewhere, setElsewhere] = useState<Elsewhere>('window');
  const change = (next: { scope?: typeof scope; picked?: readonly string[]; elsewhere?: Elsewhere }) => {
    const all = { scope, picked, elsewhere, ...next };
    setScope(all.scope);
    setPicked(all.picked);
    setElsewhere(all.elsewhere);
    const gwids = gwidsOf(all, here, own);
    onChange({ elsewhere: all.elsewhere, ...(gwids ? { gwids } : {}) });
  };
  const gwids = gwidsOf({ scope, picked }, here, own);
  const { data, error, refetch, isPlaceholderData } = useRead(
    '/api/v3/user_online/block_preview',
    { macs: [...macs], list, elsewhere, ...(gwids ? { gwids } : {}) },
    { enabled: gwids === null || gwids.length > 0, keepPrevious: true },
  );
  // without a preview the change itself is still possible
  useAnswerable(error !== null || gwids?.length === 0 || (data !== undefined && !isPlaceholderData));
  const scopes = ['all', ...(here.length > 0 ? (['here'] as const) : []), 'some'] as const;
  const label = (value: (typeof scopes)[number]) =>
    value === 'here' && here.length === 1 ? here[0]!.name : t(`users.scope_${value === 'all' && own ? 'own' : value}`);
  return (
    <div className="stack">
      {list === 'blocked' && (
        <Choice
          label={t('users.scope')}
          value={scope}
          options={scopes.map((value) => ({ value, label: label(value) }))}
          onChange={(value) => change({ scope: value })}
        />
      )}
      {scope === 'some' && <NetworkPicks value={picked} onChange={(value) => change({ picked: value })} />}
      {(elsewhere !== 'window' || (data?.later.networks ?? 0) > 0) && (
        <Choice
          label={t('users.elsewhere')}
          value={elsewhere}
          options={elsewheres.map((value) => ({ value, label: t(`users.elsewhere_${value}`) }))}
          onChange={(value) => change({ elsewhere: value })}
        />
      )}
      {error && !data ? (
        <Failed small error={error} retry={() => void refetch()} />
      ) : gwids?.length === 0 ? (
        <p className="small quiet">{t('users.scope_none')}</p>
      ) : (
        <Loading until={data !== undefined && !isPlaceholderData} lines={2}>
          {data && <Effect data={data} elsewhere={elsewhere} />}
        </Loading>
      )}
    </div>
  );
}

function gwidsOf(
  { scope, picked }: { scope: Scope; picked: readonly string[] },
  here: readonly { gwid: string }[],
  own: readonly string[] | null,
): string[] | null {
  if (scope === 'all') return own && [...own];
  return scope === 'here' ? here.map(({ gwid }) => gwid) : [...picked];
}

const maxNamed = 3;

function Effect({ data: { now, later }, elsewhere }: { data: Answer; elsewhere: Elsewhere }) {
  const names = now.networks.slice(0, maxNamed).join(t('users.between'));
  const more = now.networks.length - maxNamed;
  return (
    <div className="preview-sum" role="status">
      <p>
        <strong>
          {now.devices === 0
            ? t('users.block_nowhere')
            : t('users.block_now', {
                networks: more > 0 ? t('users.block_more', { names, n: more }) : names,
                n: now.devices,
              })}
        </strong>
      </p>
      <DropFacts drops={now.drops} />
      {later.networks > 0 && elsewhere !== 'now' && (
        <p className="small quiet">
          {t(`users.block_later_${elsewhere}`, { networks: later.networks, n: later.devices })}
        </p>
      )}
    </div>
  );
}
