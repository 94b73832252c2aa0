import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ask, type Question } from '../../ui/dialog-host.tsx';
import { Menu } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.tsx';
import type { Account } from './account-row.ts';

export function AccountMenu({ account }: { account: Account }) {
  const client = useQueryClient();
  const { home_account_id: own } = useUser();
  const label = t('install.account_acts', { name: account.name });
  const askFor = (question: (account: Account) => Omit<Question, 'act'>, act: (account: Account) => Promise<string>) =>
    ask({
      ...question(account),
      act: async () => {
        const done = await act(account);
        await client.invalidateQueries({ queryKey: ['/api/v3/install/account/list'] });
        notify('ok', done);
      },
    });
  return (
    <div>
      <Menu
        label={label}
        width={272}
        target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
        items={[
          { label: t('install.reset_password'), icon: 'mail', act: () => askFor(passwordQuestion, resetPassword) },
          ...(account.second_factor
            ? [
                {
                  label: t('install.reset_second_factor'),
                  icon: 'shield' as const,
                  act: () => askFor(secondFactorQuestion, resetSecondFactor),
                },
              ]
            : []),
          {
            label: account.sdwan_status ? t('install.sdwan_off') : t('install.sdwan_on'),
            icon: 'link',
            act: () => askFor(sdwanQuestion, switchSdwan),
          },
          {
            label: account.locked ? t('install.unlock') : t('install.lock'),
            icon: 'lock',
            danger: !account.locked,
            why: account.account_id === own ? t('install.lock_own') : undefined,
            act: () => askFor(lockQuestion, lock),
          },
        ]}
      />
    </div>
  );
}

const lockQuestion = ({ name, locked }: Account): Omit<Question, 'act'> =>
  locked
    ? { title: t('install.unlock_title', { name }), body: t('install.unlock_body'), confirm: t('install.unlock') }
    : {
        title: t('install.lock_title', { name }),
        body: t('install.lock_body'),
        losses: [t('install.lock_people'), t('install.lock_others'), t('install.lock_devices')],
        confirm: t('install.lock'),
        danger: true,
      };

async function lock({ account_id, locked, name }: Account): Promise<string> {
  await call('/api/v3/install/account/lock', { account_id, locked: !locked });
  return locked ? t('install.unlocked', { name }) : t('install.locked_done', { name });
}

const passwordQuestion = ({ owner }: Account): Omit<Question, 'act'> => ({
  title: t('install.reset_password_title', { owner }),
  body: t('install.reset_password_body'),
  losses: [t('install.reset_sessions'), t('install.reset_old_password')],
  confirm: t('install.reset_password_confirm'),
});

async function resetPassword({ account_id, owner }: Account): Promise<string> {
  const { sent_to } = await call('/api/v3/install/account/reset', { account_id, what: 'password' });
  return t('install.reset_password_done', { to: sent_to ?? owner });
}

const secondFactorQuestion = ({ owner }: Account): Omit<Question, 'act'> => ({
  title: t('install.reset_second_factor_title', { owner }),
  body: t('install.reset_second_factor_body'),
  losses: [t('install.reset_sessions'), t('install.reset_codes')],
  confirm: t('install.reset_second_factor_confirm'),
  danger: true,
});

async function resetSecondFactor({ account_id, owner }: Account): Promise<string> {
  await call('/api/v3/install/account/reset', { account_id, what: 'second_factor' });
  return t('install.reset_second_factor_done', { owner });
}

const sdwanQuestion = ({ name, sdwan_status: on }: Account): Omit<Question, 'act'> => ({
  title: on ? t('install.sdwan_off_title', { name }) : t('install.sdwan_on_title', { name }),
  body: on ? t('install.sdwan_off_body') : t('install.sdwan_on_body'),
  confirm: on ? t('install.sdwan_off') : t('install.sdwan_on'),
});

async function switchSdwan({ account_id, sdwan_status: on, name }: Account): Promise<string> {
  await call('/api/v3/install/account/sdwan', { account_id, on: !on });
  return on ? t('install.sdwan_off_done', { name }) : t('install.sdwan_on_done', { name });
}
