import { firstDayInZone } from '@yunxun/contract/zone-change';
import { useState } from 'react';
import { workIn } from '../../app/acting.ts';
import type { Data, Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient, refreshUser } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Failed } from '../../ui/empty.tsx';
import { fieldError, SelectField, SwitchField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { roleName } from '../../ui/refusal.ts';
import { Setting, Settings } from '../../ui/setting.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { zoneOptions } from '../../ui/zones.ts';

export function AccountSettings() {
  const { data, error, refetch } = useRead('/api/v3/account/detail', {});
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  return (
    <div className="stack">
      <Card title={t('account.about')}>
        <Loading until={data !== undefined}>{data && <AccountForm key={data.name} account={data} />}</Loading>
      </Card>
      <Card title={t('account.security')}>
        <Loading until={data !== undefined}>{data && <Trust account={data} />}</Loading>
      </Card>
      <Memberships />
    </div>
  );
}

/** Switch that takes effect at once. */
function Trust({ account }: { account: Data<'/api/v3/account/detail'> }) {
  const may = useMay('account.write');
  const save = useWrite('/api/v3/account/update', ['/api/v3/account/detail', '/api/v3/network/first_contact/get']);
  const change = async (trust_sites: boolean) => {
    await save.mutateAsync({ trust_sites });
    notify('ok', t('account.saved'));
  };
  return (
    <div>
      <SwitchField
        checked={account.trust_sites}
        disabled={!may || save.isPending}
        onChange={(on) => void change(on).catch(() => undefined)}
      >
        {t('account.trust_sites')}
      </SwitchField>
      <p className="small dim">{t('account.trust_sites_hint')}</p>
    </div>
  );
}

function AccountForm({ account }: { account: Data<'/api/v3/account/detail'> }) {
  const may = useMay('account.write');
  const [name, setName] = useState(account.name);
  const [zone, setZone] = useState(account.time_zone);
  const form = useForm<'name' | 'time_zone'>();
  const save = () =>
    form.send({ name: fieldError('freeText', name) }, async () => {
      await call('/api/v3/account/update', { name, time_zone: zone });
      await refreshUser();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/account/detail'] });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/account/list'] });
      notify('ok', t('account.saved'));
    });
  const why = may ? undefined : t('account.why_not');
  return (
    <Form send={() => may && save()}>
      <div className="account-form" ref={form.fields}>
        <TextField
          label={t('account.name')}
          hint={t('account.name_hint')}
          maxLength={64}
          value={name}
          onChange={setName}
          error={form.wrong.name}
          disabled={!may}
        />
        <SelectField
          label={t('account.zone')}
          hint={zoneHint(account, zone)}
          value={zone}
          options={zoneOptions(zone, new Date())}
          onChange={setZone}
          error={form.wrong.time_zone}
          disabled={!may}
        />
        <div>
          <Button kind="primary" type="submit" busy={form.busy} why={why}>
            {t('action.save')}
          </Button>
        </div>
      </div>
    </Form>
  );
}

/** Names the day from which a new zone counts. */
function zoneHint({ time_zone: now, time_zone_from: from }: Data<'/api/v3/account/detail'>, zone: string): string {
  const day = zone === now ? from : firstDayInZone(new Date(), now, zone);
  return day === null ? t('account.zone_hint') : `${t('account.zone_hint')} ${t('account.zone_from', { day })}`;
}

type Membership = Row<'/api/v3/account/list'>;

function Memberships() {
  const { data } = useRead('/api/v3/account/list', {});
  const { viewing } = useUser();
  const joined = (data?.list ?? []).filter((place) => !place.own && place.role);
  // these are the person's own accounts, so a preview hides them
  if (joined.length === 0 || viewing) return null;
  return (
    <Card title={t('account.memberships')} flush>
      <Settings>
        {joined.map((place) => (
          <MembershipRow key={place.account_id} place={place} />
        ))}
      </Settings>
    </Card>
  );
}

function MembershipRow({ place }: { place: Membership }) {
  const user = useUser();
  const { account_id: account, name, role, role_name } = place;
  const leave = () =>
    ask({
      title: t('account.leave_title', { name }),
      body: t('account.leave_body', { name }),
      losses: [t('member.remove_pages')],
      confirm: t('account.leave'),
      danger: true,
      act: async () => {
        await call('/api/v3/account/leave', { account_id: account });
        if (user.account_id === account) await workIn(null);
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/account/list'] });
        notify('ok', t('account.left', { name }));
      },
    });
  return (
    <Setting title={name} state={role && roleName({ role, role_name })}>
      {user.account_id !== account && (
        <Button
          aria-label={t('received.open_named', { name })}
          onClick={() => void workIn({ account, name, person: user.id })}
        >
          {t('received.open')}
        </Button>
      )}
      <Button kind="quiet" className="btn-bad" aria-label={t('account.leave_named', { name })} onClick={leave}>
        {t('account.leave')}
      </Button>
    </Setting>
  );
}
