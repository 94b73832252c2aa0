import { useEffect, useRef } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { locale, type MessageKey, t } from '../../app/i18n.ts';
import { changeLanguage } from '../../app/language.ts';
import { applyPreferences } from '../../app/preferences.ts';
import { queryClient, userKey } from '../../app/session.ts';
import { useUser } from '../../app/shell/current.ts';
import { setTheme } from '../../app/theme.ts';
import type { User } from '../../app/user.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { SelectField } from '../../ui/field.tsx';
import { exactTime } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useNow } from '../../ui/time.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { zoneOptions } from '../../ui/zones.ts';
import './personal.css';

type Personal = User['personalization'];
type Change = Input<'/api/v3/personalization/save'>;

const themes = ['light', 'dark', 'system'] as const;
const homeSections = ['revenue', 'network', 'users', 'alarms'] as const;
const densities = ['comfortable', 'compact'] as const;
const pageSizes = [10, 20, 50] as const;

const languageNames = { 'zh-CN': '简体中文', en: 'English' } as const;
/** The reloaded page offers an undo. */
const LANGUAGE_BEFORE = 'yunxun.language_before';

function nameOf(change: Change): string {
  if (change.theme) return t('personalization.theme');
  if (change.density) return t('personalization.density');
  if (change.language) return t('personalization.language');
  if (change.home_section) return t('personalization.home');
  return change.page_size ? t('personalization.page_size') : t('personalization.zone');
}

let saving: Promise<unknown> = Promise.resolve();

/** Applies a choice. @returns the previous one */
function apply(change: Change): Change {
  let before: Change = {};
  if (change.theme) setTheme(change.theme);
  queryClient.setQueryData<User>(userKey, (user) => {
    if (!user) return user;
    const now = user.personalization;
    before = Object.fromEntries((Object.keys(change) as (keyof Personal)[]).map((field) => [field, now[field]]));
    return { ...user, personalization: { ...now, ...change } as Personal };
  });
  const user = queryClient.getQueryData<User>(userKey);
  if (user) applyPreferences(user);
  return before;
}

async function save(change: Change, undoing = false): Promise<void> {
  const before = apply(change);
  const mine = saving.then(() => call('/api/v3/personalization/save', change));
  saving = mine.catch(() => undefined);
  try {
    await mine;
    if ('time_zone' in change) await adoptZone();
    if (undoing) notify('ok', t('personalization.undone'));
    else notify('ok', t('personalization.saved', { what: nameOf(change) }), () => void save(before, true));
  } catch (error) {
    apply(before);
    notifyError(error);
  }
}

/** Only the server knows the account's zone. */
async function adoptZone(): Promise<void> {
  const { time_zone } = await call('/api/v3/user', {});
  // only this field: the rest may be older than a later choice
  queryClient.setQueryData<User>(userKey, (user) => user && { ...user, time_zone });
  apply({});
}

async function saveLanguage(from: Personal['language'], to: Personal['language'], undoing = false): Promise<void> {
  try {
    await call('/api/v3/personalization/save', { language: to });
    if (!undoing) sessionStorage.setItem(LANGUAGE_BEFORE, from);
    changeLanguage(to);
  } catch (error) {
    notifyError(error);
  }
}

export function PersonalizationScreen() {
  const { personalization: person, time_zone } = useUser();
  const now = new Date(useNow());
  const reported = useRef(false);
  useEffect(() => {
    const before = sessionStorage.getItem(LANGUAGE_BEFORE);
    sessionStorage.removeItem(LANGUAGE_BEFORE);
    if (reported.current || (before !== 'zh-CN' && before !== 'en')) return;
    reported.current = true;
    notify(
      'ok',
      t('personalization.saved', { what: t('personalization.language') }),
      () => void saveLanguage(locale(), before, true),
    );
  }, []);
  const change = (part: Change) => void save(part);
  const named = <V extends string>(values: readonly V[], key: (value: V) => MessageKey) =>
    values.map((value) => ({ value, label: t(key(value)) }));
  return (
    <Page title={t('personal.personalization')}>
      <Card title={t('personalization.look')}>
        <div className="preferences">
          <Choice
            label={t('personalization.theme')}
            value={person.theme}
            options={named(themes, (value) => `personalization.theme_${value}`)}
            onChange={(theme) => change({ theme })}
          />
          <p className="small dim">{t('personalization.theme_hint')}</p>
          <Choice
            label={t('personalization.density')}
            value={person.density}
            options={named(densities, (value) => `personalization.density_${value}`)}
            onChange={(density) => change({ density })}
          />
          <p className="small dim">{t('personalization.density_hint')}</p>
          <Choice
            label={t('personalization.language')}
            value={locale()}
            options={[
              { value: 'zh-CN', label: languageNames['zh-CN'] },
              { value: 'en', label: languageNames.en },
            ]}
            onChange={(language) => void saveLanguage(locale(), language)}
          />
          <p className="small dim">{t('personalization.language_hint')}</p>
          {person.language !== locale() && (
            <p className="notice">
              <Icon name="info" size={16} />
              <span>{t('personalization.language_differs', { language: languageNames[person.language] })}</span>
              <Button kind="link" onClick={() => change({ language: locale() })}>
                {t('personalization.language_save', { language: languageNames[locale()] })}
              </Button>
            </p>
          )}
        </div>
      </Card>
      <Card title={t('personalization.content')}>
        <div className="preferences">
          <Choice
            label={t('personalization.home')}
            value={person.home_section}
            options={named(homeSections, (value) => `personalization.home_${value}`)}
            onChange={(home_section) => change({ home_section })}
          />
          <p className="small dim">{t('personalization.home_hint')}</p>
          <Choice
            label={t('personalization.page_size')}
            value={person.page_size}
            options={pageSizes.map((value) => ({ value, label: t('table.rows', { n: value }) }))}
            onChange={(page_size) => change({ page_size })}
          />
          <p className="small dim">{t('personalization.page_size_hint')}</p>
          <div className="zone">
            <SelectField
              label={t('personalization.zone')}
              value={person.time_zone ?? ''}
              options={[{ value: '', label: t('personalization.zone_account') }, ...zoneOptions(person.time_zone, now)]}
              onChange={(zone) => change({ time_zone: zone || null })}
            />
          </div>
          <p className="small dim">{t('personalization.zone_now', { zone: time_zone, time: exactTime(now) })}</p>
        </div>
      </Card>
    </Page>
  );
}
