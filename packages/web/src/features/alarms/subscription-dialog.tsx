import { useState } from 'react';
import { call } from '../../app/client.ts';
import { locale, t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { levels } from '../../ui/alarm-level.tsx';
import { Button } from '../../ui/button.tsx';
import { ChecksField } from '../../ui/checks-field.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, SelectField, SwitchField } from '../../ui/field.tsx';
import { TimeBucketField } from '../../ui/fields/time-field.tsx';
import { NetworkPicks } from '../../ui/networks-field.tsx';
import { listed } from '../../ui/refusal.ts';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type Draft, EndpointsField } from './endpoints-field.tsx';
import { kindOptions } from './labels.ts';
import { ScheduleField } from './schedule-field.tsx';
import { ScopeGroups } from './scope-groups.tsx';
import { memberChannels, refreshSubscriptions, type Saved, type Subscription } from './subscription.ts';
import { presetOf, presets, presetValues, type SubscriptionPreset } from './subscription-presets.ts';
import './alarms.css';

type Values = Omit<Saved, 'id' | 'version' | 'endpoints' | 'digest_minutes' | 'repeat_hours'>;
type Secrets = { endpoint: string; shown: string; secret: string }[];

const maxDigest = 120;
const maxRepeat = 168;
const usualQuiet = '22:00-07:00';
const scopes = ['all', 'networks', 'groups'] as const;

/** Shows the secrets of new webhooks once. */
export function SubscriptionDialog(props: { subscription: Subscription | null; zone: string; onClose: () => void }) {
  const { zone, onClose } = props;
  // the list may reload
  const [subscription] = useState(props.subscription);
  const { id: me } = useUser();
  const [values, setValues] = useState<Values>(() => valuesOf(subscription, me));
  const [digest, setDigest] = useState(String(subscription?.digest_minutes ?? 0));
  const [repeat, setRepeat] = useState(String(subscription?.repeat_hours ?? 0));
  const [endpoints, setEndpoints] = useState<readonly Draft[]>(() => draftsOf(subscription));
  const [someKinds, setSomeKinds] = useState(values.kinds.length > 0);
  const [secrets, setSecrets] = useState<Secrets>([]);
  const people = useRead('/api/v3/alarm_subscription/people', {});
  const { wrong, busy, fields, send } = useForm<string>({ 4105: 'name', 4106: 'name' });
  const set = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }));
  const { scope, quiet } = values;
  const preset = presetOf({ ...values, digest_minutes: Number(digest), repeat_hours: Number(repeat) });
  const applyPreset = (chosen: SubscriptionPreset) => {
    const { digest_minutes: minutes, repeat_hours: hours, ...rest } = presetValues[chosen];
    set(rest);
    setDigest(String(minutes));
    setRepeat(String(hours));
  };
  const withoutBrowser = (people.data?.list ?? [])
    .filter(({ id, browser }) => values.members.includes(id) && !browser)
    .map(({ name }) => name);
  const submit = () =>
    send(
      {
        name: fieldError('nameText', values.name),
        digest_minutes: fieldError(whole(0, maxDigest), digest),
        repeat_hours: fieldError(whole(0, maxRepeat), repeat),
        levels: values.levels.length === 0 ? t('validation.required') : null,
        kinds: someKinds && values.kinds.length === 0 ? t('validation.required') : null,
        scope: scope.type !== 'all' && scope.ids.length === 0 ? t('validation.required') : null,
        quiet: quiet === null ? null : fieldError('timeBucket', quiet),
        ...Object.fromEntries(
          values.schedule.flatMap(({ days, period }, at) => [
            [`schedule.${at}.days`, days.length === 0 ? t('validation.required') : null],
            [`schedule.${at}.period`, fieldError('timeBucket', period)],
          ]),
        ),
        ...Object.fromEntries(
          endpoints.map(({ url, stored }, at) => [`endpoints.${at}.url`, fieldError('url', url, stored !== null)]),
        ),
      },
      async () => {
        const made = await call('/api/v3/alarm_subscription/save', {
          ...(subscription && { id: subscription.id, version: subscription.version }),
          ...values,
          kinds: someKinds ? values.kinds : [],
          digest_minutes: Number(digest),
          repeat_hours: Number(repeat),
          member_channels: values.members.length > 0 ? values.member_channels : [],
          endpoints: endpoints.map(({ stored, type, url, secret }) => ({
            type,
            ...(stored && { id: stored.id }),
            ...(url && { url }),
            ...(secret && { secret }),
          })),
        });
        notify('ok', t('subscription.saved'));
        await refreshSubscriptions();
        if (made.secrets.length > 0) setSecrets(made.secrets);
        else onClose();
      },
    );
  if (secrets.length > 0) return <SecretsDialog secrets={secrets} onClose={onClose} />;
  return (
    <Dialog
      drawer
      wide
      title={subscription ? t('subscription.edit', { name: subscription.name }) : t('subscription.create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField
          label={t('subscription.name')}
          hint={t('subscription.name_hint')}
          value={values.name}
          onChange={(name) => set({ name })}
          error={wrong.name}
        />
        <SwitchField checked={values.enabled} onChange={(enabled) => set({ enabled })}>
          {t('subscription.enabled')}
        </SwitchField>
        <Choice
          label={t('subscription.preset')}
          value={preset ?? 'own'}
          onChange={(chosen) => chosen !== 'own' && applyPreset(chosen)}
          options={[...presets, ...(preset === null ? (['own'] as const) : [])].map((value) => ({
            value,
            label: t(`subscription.preset_${value}`),
          }))}
        />
        <p className="small dim">{t(`subscription.preset_about_${preset ?? 'own'}`)}</p>
        <h3 className="section-title">{t('subscription.what')}</h3>
        <ChecksField
          label={t('subscription.levels')}
          value={values.levels}
          error={wrong.levels}
          options={levels.map((value) => ({ value, label: t(`alarm_level.${value}`) }))}
          onChange={(chosen) => set({ levels: chosen })}
        />
        <Choice
          label={t('subscription.kinds')}
          value={someKinds ? 'some' : 'all'}
          onChange={(chosen) => setSomeKinds(chosen === 'some')}
          options={(['all', 'some'] as const).map((value) => ({ value, label: t(`subscription.kinds_${value}`) }))}
        />
        {someKinds && (
          <ChecksField
            label={t('subscription.kinds_some')}
            value={values.kinds}
            error={wrong.kinds}
            options={kindOptions()}
            onChange={(chosen) => set({ kinds: chosen })}
          />
        )}
        <Choice
          label={t('alarm.scope')}
          value={scope.type}
          onChange={(type) => set({ scope: { type, ids: [] } })}
          options={scopes.map((value) => ({ value, label: t(`alarm.scope_${value}`) }))}
        />
        {scope.type === 'networks' && (
          <NetworkPicks
            value={scope.ids}
            error={wrong.scope}
            onChange={(ids) => set({ scope: { type: 'networks', ids: [...ids] } })}
          />
        )}
        {scope.type === 'groups' && (
          <ScopeGroups
            value={scope.ids}
            error={wrong.scope}
            onChange={(ids) => set({ scope: { type: 'groups', ids } })}
          />
        )}
        <h3 className="section-title">{t('subscription.who')}</h3>
        <ChecksField
          label={t('subscription.members')}
          value={values.members}
          error={wrong.members}
          options={(people.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(members) => set({ members })}
        />
        {values.members.length > 0 && (
          <>
            <ChecksField
              label={t('subscription.member_channels')}
              value={values.member_channels}
              error={wrong.member_channels}
              options={memberChannels.map((value) => ({ value, label: t(`subscription.channel_${value}`) }))}
              onChange={(channels) => set({ member_channels: channels })}
            />
            {values.member_channels.includes('web_push') && withoutBrowser.length > 0 && (
              <p className="small">{t('subscription.no_browser', { names: listed(withoutBrowser) })}</p>
            )}
            <p className="small dim">{t('subscription.members_about')}</p>
          </>
        )}
        <EndpointsField value={endpoints} wrong={wrong} onChange={setEndpoints} />
        {endpoints.length > 0 && (
          <SelectField
            label={t('subscription.locale')}
            value={values.locale}
            onChange={(chosen) => set({ locale: chosen })}
            options={[
              { value: 'zh-CN', label: '中文' },
              { value: 'en', label: 'English' },
            ]}
          />
        )}
        <h3 className="section-title">{t('subscription.when')}</h3>
        <ScheduleField value={values.schedule} zone={zone} wrong={wrong} onChange={(schedule) => set({ schedule })} />
        <CheckField checked={quiet !== null} onChange={(on) => set({ quiet: on ? usualQuiet : null })}>
          {t('subscription.quiet_on')}
        </CheckField>
        {quiet !== null && (
          <TimeBucketField
            label={t('subscription.quiet')}
            hint={t('subscription.quiet_hint')}
            value={quiet}
            error={wrong.quiet}
            onChange={(next) => set({ quiet: next })}
          />
        )}
        <NumberField
          label={t('subscription.digest')}
          hint={t('subscription.digest_hint')}
          value={digest}
          onChange={setDigest}
          min={0}
          max={maxDigest}
          error={wrong.digest_minutes}
        />
        <NumberField
          label={t('subscription.repeat')}
          hint={t('subscription.repeat_hint')}
          value={repeat}
          onChange={setRepeat}
          min={0}
          max={maxRepeat}
          error={wrong.repeat_hours}
        />
        <CheckField checked={values.recovery} onChange={(recovery) => set({ recovery })}>
          {t('subscription.recovery')}
        </CheckField>
      </div>
    </Dialog>
  );
}

function SecretsDialog({ secrets, onClose }: { secrets: Secrets; onClose: () => void }) {
  return (
    <Dialog
      title={t('subscription.secrets_title')}
      foot={
        <Button kind="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <p>{t('subscription.secrets_body')}</p>
      {secrets.map(({ endpoint, shown, secret }) => (
        <div key={endpoint}>
          <div className="small dim">{shown}</div>
          <CopyText block text={secret} label={t('subscription.secret_copy')} />
        </div>
      ))}
    </Dialog>
  );
}

function valuesOf(from: Subscription | null, me: string): Values {
  if (!from)
    return {
      name: '',
      enabled: true,
      locale: locale(),
      kinds: [],
      scope: { type: 'all', ids: [] },
      members: [me],
      member_channels: ['console'],
      schedule: [],
      levels: presetValues.normal.levels,
      quiet: presetValues.normal.quiet,
      recovery: presetValues.normal.recovery,
    };
  const {
    name,
    enabled,
    levels: chosen,
    kinds: some,
    scope,
    members,
    member_channels,
    schedule,
    quiet,
    recovery,
  } = from;
  return {
    name,
    enabled,
    locale: from.locale,
    levels: chosen,
    kinds: some,
    scope,
    members,
    member_channels,
    schedule,
    quiet,
    recovery,
  };
}

function draftsOf(from: Subscription | null): Draft[] {
  return (from?.endpoints ?? []).map(({ id, type, shown, has_secret: hasSecret }) => ({
    key: id,
    stored: { id, shown, hasSecret },
    type,
    url: '',
    secret: '',
  }));
}
