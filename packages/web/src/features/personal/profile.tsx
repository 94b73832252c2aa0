import { passwordLength } from '@yunxun/contract/rules';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { refreshUser } from '../../app/session.ts';
import { useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/field.tsx';
import { exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Setting, Settings } from '../../ui/setting.tsx';
import { notify } from '../../ui/toast.tsx';
import { BindingCodeCard } from './binding-code-card.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { InlineEdit } from './inline-edit.tsx';
import { maskMobile } from './mask.ts';
import { MobileDialog } from './mobile-dialog.tsx';
import './personal.css';

const judgeName = (value: string) => fieldError('freeText', value, true);
const judgeQq = (value: string) => (/^([1-9]\d{4,11})?$/.test(value) ? null : t('profile.qq_wrong'));

export function ProfileScreen() {
  const user = useUser();
  const [open, setOpen] = useState<'mobile' | 'email' | null>(null);
  const saved = async (what: string, work: Promise<unknown>) => {
    await work;
    await refreshUser();
    notify('ok', t('profile.saved', { what }));
  };
  const close = () => setOpen(null);
  return (
    <Page title={t('personal.profile')}>
      <div className="grid">
        <div className="span-8 stack">
          <Card title={t('profile.person')} flush>
            <Settings>
              <Setting
                title={t('profile.login')}
                hint={t('profile.login_hint')}
                state={user.email ?? maskMobile(user.mobile ?? '')}
              />
              <Setting title={t('profile.registered')} state={exactTime(new Date(user.created_at))} />
              <Setting
                title={t('profile.name')}
                hint={t('profile.name_hint')}
                state={
                  <InlineEdit
                    label={t('profile.name')}
                    value={user.name}
                    maxLength={32}
                    judge={judgeName}
                    save={(name) => saved(t('profile.name'), call('/api/v3/profile/name', { name }))}
                  />
                }
              />
              <Setting
                title={t('profile.qq')}
                state={
                  <InlineEdit
                    label={t('profile.qq')}
                    value={user.qq}
                    maxLength={20}
                    numeric
                    judge={(qq) => judgeQq(qq.trim())}
                    save={(qq) => saved(t('profile.qq'), call('/api/v3/profile/qq', { qq: qq.trim() }))}
                  />
                }
              />
              <Setting
                title={t('profile.mobile')}
                hint={t('profile.mobile_hint')}
                state={user.mobile ? maskMobile(user.mobile) : <span className="dim">{t('profile.unbound')}</span>}
              >
                <Button onClick={() => setOpen('mobile')} aria-label={actName(user.mobile, t('profile.mobile'))}>
                  {user.mobile ? t('profile.change') : t('profile.bind')}
                </Button>
              </Setting>
              <Setting
                title={t('profile.email')}
                hint={t('profile.email_hint')}
                state={user.email ?? <span className="dim">{t('profile.unbound')}</span>}
              >
                <Button onClick={() => setOpen('email')} aria-label={actName(user.email, t('profile.email'))}>
                  {user.email ? t('profile.change') : t('profile.bind')}
                </Button>
              </Setting>
            </Settings>
          </Card>
        </div>
        <div className="span-4 stack">
          <BindingCodeCard />
          <Card title={t('profile.rules')}>
            <ul className="in-text rule-list">
              <li>{t('profile.rule_password', passwordLength)}</li>
              <li>{t('profile.rule_withdrawal')}</li>
              <li>{t('profile.rule_images')}</li>
              <li>
                <Link to="/security">{t('profile.to_security')}</Link>
              </li>
            </ul>
          </Card>
        </div>
      </div>
      {open === 'mobile' && <MobileDialog bound={user.mobile} onClose={close} />}
      {open === 'email' && <EmailDialog bound={user.email} onClose={close} />}
    </Page>
  );
}

/** Accessible name of a button, complete without its row. */
function actName(bound: string | null, name: string): string {
  return bound ? t('profile.change_value', { name }) : t('profile.bind_value', { name });
}
