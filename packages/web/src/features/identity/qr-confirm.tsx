import { type ReactNode, useEffect, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { CenteredCard } from '../../app/shell/centered-card.tsx';
import { useParam, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { browserName } from '../../ui/browser-name.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { Notice } from './frame.tsx';

type End = 'accepted' | 'refused' | 'expired';

/** True if the code was answered, has expired or is unknown. */
const isOver = (error: unknown): boolean => error instanceof ApiError && [4013, 4014, 422].includes(error.code);

export function QrConfirmScreen() {
  const code = useParam('code');
  const { data, error, refetch } = useRead('/api/v3/qrcode/look', { code });
  const [answered, setAnswered] = useState<End | null>(null);
  const [busy, setBusy] = useState<boolean | null>(null);
  const end = answered ?? (isOver(error) ? 'expired' : null);
  const expires = data?.expire_at;
  useEffect(() => {
    if (!expires || end) return;
    const timer = setTimeout(() => setAnswered('expired'), Math.max(0, Date.parse(expires) - Date.now()));
    return () => clearTimeout(timer);
  }, [expires, end]);
  const answer = async (accept: boolean) => {
    if (busy !== null) return;
    setBusy(accept);
    try {
      await call('/api/v3/qrcode/answer', { code, accept });
      setAnswered(accept ? 'accepted' : 'refused');
    } catch (failure) {
      if (isOver(failure)) setAnswered('expired');
      else notifyError(failure);
    }
    setBusy(null);
  };
  return (
    <CenteredCard>
      {end ? (
        <Ending end={end} />
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Asking asks={data} />
          <div className="slip-acts">
            <Button kind="primary" large disabled={!data} busy={busy === true} onClick={() => void answer(true)}>
              {t('qr_confirm.accept')}
            </Button>
            <Button large disabled={!data} busy={busy === false} onClick={() => void answer(false)}>
              {t('qr_confirm.refuse')}
            </Button>
          </div>
        </>
      )}
    </CenteredCard>
  );
}

function Asking({ asks }: { asks: Data<'/api/v3/qrcode/look'> | undefined }) {
  const { name, email, mobile } = useUser();
  const { browser, system } = browserName(asks?.user_agent ?? '');
  const known = [browser, system].filter(Boolean).join(' · ');
  const facts: [string, ReactNode][] = [
    [t('qr_confirm.browser'), known || t('qr_confirm.unknown_browser')],
    [t('qr_confirm.address'), <code key="ip">{asks?.ip}</code>],
    [t('qr_confirm.asked'), asks && <RelativeTime at={asks.created_at} />],
  ];
  return (
    <>
      <h1>{t('qr_confirm.title')}</h1>
      <p>{t('qr_confirm.body', { name: email ?? mobile ?? name })}</p>
      <dl className="facts" data-loading={!asks || undefined}>
        {facts.map(([title, fact]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{asks ? fact : ' '}</dd>
          </div>
        ))}
      </dl>
      <Notice tone="warn">{t('qr_confirm.warning')}</Notice>
    </>
  );
}

function Ending({ end }: { end: End }) {
  const [icon, title, body] = {
    accepted: ['check', t('qr_confirm.accepted'), t('qr_confirm.accepted_body')],
    refused: ['close', t('qr_confirm.refused'), t('qr_confirm.refused_body')],
    expired: ['clock', t('qr.expired'), t('qr_confirm.expired_body')],
  }[end] as [IconName, string, string];
  return (
    <div role="status">
      <Empty page icon={icon} title={title}>
        {body}
      </Empty>
    </div>
  );
}
