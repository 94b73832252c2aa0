import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useRead, useWrite } from '../../../app/use-call.ts';
import { changedFields } from '../../../ui/changed-fields.ts';
import { Failed } from '../../../ui/empty.tsx';
import { SelectField, SwitchField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { SettingsForm } from '../../../ui/settings-form.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { notify } from '../../../ui/toast.tsx';

const joinRules = ['account', 'site', 'click', 'code'] as const;

type Settings = Data<'/api/v3/network/first_contact/get'>;

export function ContactSettings({ gwid, may }: { gwid: string; may: boolean }) {
  const { data, error, refetch } = useRead('/api/v3/network/first_contact/get', { gwid });
  return (
    <Card className="span-12" title={t('contact.title')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={4}>
          {data && <ContactForm key={JSON.stringify(data)} gwid={gwid} data={data} may={may} />}
        </Loading>
      )}
    </Card>
  );
}

function ContactForm({ gwid, data, may }: { gwid: string; data: Settings; may: boolean }) {
  const [settings, setSettings] = useState(data);
  const save = useWrite('/api/v3/network/first_contact/save', [
    '/api/v3/network/first_contact/get',
    '/api/v3/log/action/list',
  ]);
  const submit = async () => {
    await save.mutateAsync({ gwid, ...changedFields(settings, data) });
    notify('ok', t('contact.saved'));
  };
  return (
    <SettingsForm may={may} busy={save.isPending} onSubmit={submit}>
      <p className="quiet">{t('contact.body')}</p>
      {(['left_alone', 'bridge_lan'] as const).map((name) => (
        <div key={name}>
          <SwitchField
            checked={settings[name]}
            onChange={(on) => setSettings({ ...settings, [name]: on })}
            disabled={!may}
          >
            {t(`contact.${name}`)}
          </SwitchField>
          <p className="small dim">{t(`contact.${name}_hint`)}</p>
        </div>
      ))}
      <div>
        <SelectField
          label={t('contact.join_rule')}
          hint={t(`contact.join_rule_${settings.join_rule}_hint`)}
          value={settings.join_rule}
          options={joinRules.map((value) => ({
            value,
            label:
              value === 'account'
                ? t('contact.join_rule_account', { rule: t(`contact.join_rule_${data.account_rule}`) })
                : t(`contact.join_rule_${value}`),
          }))}
          onChange={(join_rule) => setSettings({ ...settings, join_rule })}
          disabled={!may}
        />
      </div>
    </SettingsForm>
  );
}
