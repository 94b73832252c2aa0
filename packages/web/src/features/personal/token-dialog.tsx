import { type Area, areas as allAreas } from '@yunxun/contract/permissions';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, SelectField } from '../../ui/field.tsx';
import { NetworksField, networksWrong } from '../../ui/networks-field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { useShownError } from '../../ui/shown-error.ts';
import { useForm } from '../../ui/use-form.ts';
import { type Days, tokenDays } from './token-days.ts';

export function TokenDialog(props: { onClose: () => void; onMade: (made: { name: string; token: string }) => void }) {
  const { permissions } = useUser();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'read' | 'write'>('read');
  const [limitAreas, setLimitAreas] = useState(false);
  const [areas, setAreas] = useState<ReadonlySet<Area>>(new Set());
  const [gwids, setGwids] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState<Days>(90);
  const form = useForm<'name' | 'areas' | 'gwids' | 'days'>({ 4106: 'name' });
  const areasWrong = useShownError(form.wrong.areas, areas);
  const offered = allAreas.filter((area) => area !== 'install' || permissions.includes('install.admin'));
  const create = () =>
    form.send(
      {
        name: fieldError('freeText', name),
        areas: limitAreas && areas.size === 0 ? t('validation.minItems', { min: 1 }) : null,
        gwids: networksWrong(gwids),
      },
      async () => {
        const { token } = await call('/api/v3/security/token/create', {
          name,
          scope,
          days,
          areas: limitAreas ? [...areas] : null,
          gwids: gwids && [...gwids],
        });
        props.onMade({ name, token });
      },
    );
  return (
    <Dialog
      title={t('token.create')}
      onClose={props.onClose}
      onSubmit={create}
      foot={
        <SendFoot onClose={props.onClose} busy={form.busy}>
          {t('token.create_submit')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <FreeTextField
          label={t('token.name')}
          hint={t('token.name_hint')}
          maxLength={32}
          value={name}
          onChange={setName}
          error={form.wrong.name}
          autoFocus
        />
        <Choice
          label={t('token.scope')}
          value={scope}
          onChange={setScope}
          options={(['read', 'write'] as const).map((value) => ({ value, label: t(`token.scope_${value}`) }))}
        />
        <Choice
          label={t('token.areas')}
          value={limitAreas ? 'some' : 'all'}
          onChange={(value) => setLimitAreas(value === 'some')}
          options={[
            { value: 'all', label: t('token.areas_all') },
            { value: 'some', label: t('token.areas_some') },
          ]}
        />
        {limitAreas && (
          <fieldset className="picks" aria-invalid={areasWrong ? true : undefined} tabIndex={-1}>
            <legend className="sr">{t('token.areas')}</legend>
            <div className="pick-grid">
              {offered.map((area) => (
                <CheckField key={area} checked={areas.has(area)} onChange={() => setAreas((now) => toggled(now, area))}>
                  {t(`area.${area}`)}
                </CheckField>
              ))}
            </div>
            {areasWrong && (
              <p className="field-error" role="alert">
                {areasWrong}
              </p>
            )}
          </fieldset>
        )}
        <NetworksField own value={gwids} onChange={setGwids} error={form.wrong.gwids} />
        <SelectField
          label={t('token.days')}
          value={String(days)}
          options={tokenDays.map((n) => ({ value: String(n), label: t('token.days_n', { n }) }))}
          onChange={(value) => setDays(Number(value) as Days)}
          error={form.wrong.days}
        />
      </div>
    </Dialog>
  );
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
