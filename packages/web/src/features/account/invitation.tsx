import { useState } from 'react';
import { workIn } from '../../app/acting.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useParam, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { roleMay } from './words.ts';

/** What 4013 and 4014 say of an invitation. */
const USED = 4013;
const OVER = 4014;

/** What an invitation offers, and the way in. */
export function InvitationScreen() {
  const token = useParam('token');
  const user = useUser();
  const { data, error, refetch } = useRead('/api/v3/account/invitation/look', { token });
  const [busy, setBusy] = useState(false);
  const login = user.email ?? user.mobile ?? '';
  const home = (
    <Link to="/" className="btn">
      {t('not_found.home')}
    </Link>
  );
  if (error && !data) {
    const code = error instanceof ApiError ? error.code : 0;
    // a link that was cut while it was copied is none
    if (code !== USED && code !== OVER && code !== 422) {
      return <Failed error={error} retry={() => void refetch()} />;
    }
    return (
      <div className="hero">
        <Empty page icon="mail" title={t(code === USED ? 'invited.used' : 'invited.over')} acts={home}>
          {code === USED ? t('invited.used_body') : t('invited.over_body', { login })}
        </Empty>
      </div>
    );
  }
  const accept = async () => {
    setBusy(true);
    try {
      const { account_id: account } = await call('/api/v3/account/invitation/accept', { token });
      await workIn({ account, name: data?.account_name ?? '', person: user.id });
    } catch (problem) {
      notifyError(problem);
      setBusy(false);
      void refetch();
    }
  };
  return (
    <div className="hero">
      <Loading until={data !== undefined}>
        {data && (
          <Empty
            page
            icon="mail"
            title={t('invited.title', { account: data.account_name })}
            acts={
              <>
                <Button kind="primary" busy={busy} onClick={() => void accept()}>
                  {t('invited.accept')}
                </Button>
                {home}
              </>
            }
          >
            <p>{t('invited.by', { name: data.invited_by, role: t(`role.${data.role}`) })}</p>
            <p>{roleMay(data.role)}</p>
            <p className="small dim">{t('invited.until', { time: exactTime(new Date(data.expires_at)) })}</p>
          </Empty>
        )}
      </Loading>
    </div>
  );
}
