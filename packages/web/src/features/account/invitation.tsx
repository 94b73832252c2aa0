import { useState } from 'react';
import { workIn } from '../../app/acting.ts';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { CenteredCard } from '../../app/shell/centered-card.tsx';
import { useParam, useUser } from '../../app/shell/current.ts';
import { useSignOut } from '../../app/shell/use-sign-out.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { roleName } from '../../ui/refusal.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { may } from './labels.ts';

/** Business codes of an invitation: used (4013), expired (4014). */
const USED = 4013;
const OVER = 4014;

export function InvitationScreen() {
  const token = useParam('token');
  const { data, error, refetch } = useRead('/api/v3/account/invitation/look', { token });
  const code = error instanceof ApiError ? error.code : 0;
  // 422: the link was cut off when it was copied
  const over = code === USED || code === OVER || code === 422;
  return (
    <CenteredCard>
      {over ? (
        <Over used={code === USED} token={token} />
      ) : error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading until={data !== undefined}>
          {data && <Offer offer={data} token={token} onRefused={() => void refetch()} />}
        </Loading>
      )}
    </CenteredCard>
  );
}

function Offer(props: { offer: Data<'/api/v3/account/invitation/look'>; token: string; onRefused: () => void }) {
  const { offer, token } = props;
  const user = useUser();
  const [busy, setBusy] = useState(false);
  const accept = async () => {
    setBusy(true);
    try {
      const { account_id: account } = await call('/api/v3/account/invitation/accept', { token });
      await workIn({ account, name: offer.account_name, person: user.id });
    } catch (problem) {
      notifyError(problem);
      setBusy(false);
      props.onRefused();
    }
  };
  return (
    <>
      <h1>{t('invited.title', { account: offer.account_name })}</h1>
      <p>{t('invited.by', { name: offer.invited_by, role: roleName(offer) })}</p>
      <p className="quiet">{may(offer.permissions)}</p>
      <p className="small dim">{t('invited.until', { time: exactTime(new Date(offer.expires_at)) })}</p>
      <div className="slip-acts">
        <Button kind="primary" large busy={busy} onClick={() => void accept()}>
          {t('invited.accept')}
        </Button>
        <Link to="/" className="btn btn-l">
          {t('not_found.home')}
        </Link>
      </div>
    </>
  );
}

function Over({ used, token }: { used: boolean; token: string }) {
  const user = useUser();
  const signOut = useSignOut();
  const [busy, setBusy] = useState(false);
  const turn = async () => {
    setBusy(true);
    await signOut(`/invitation/${token}`);
  };
  return (
    <Empty
      page
      icon="mail"
      title={t(used ? 'invited.used' : 'invited.over')}
      actions={
        <>
          {!used && (
            <Button busy={busy} onClick={() => void turn()}>
              {t('invited.another')}
            </Button>
          )}
          <Link to="/" className="btn">
            {t('not_found.home')}
          </Link>
        </>
      }
    >
      {used ? t('invited.used_body') : t('invited.over_body', { login: user.email ?? user.mobile ?? '' })}
    </Empty>
  );
}
