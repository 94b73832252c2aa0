import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { refreshUser } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { notifyError } from '../../ui/toast.tsx';

/** The installation: whoever opens the one-time set-up link first becomes its administrator. */
export function InstallScreen() {
  const [search, change] = useSearch();
  const administers = useMay('install.admin');
  const [busy, setBusy] = useState(false);
  const [claimed, setClaimed] = useState(false);
  const claim = async (token: string) => {
    setBusy(true);
    try {
      await call('/api/v3/install/claim', { token });
      // The link is spent: this is said before anything else may fail.
      setClaimed(true);
      change({ token: undefined });
      await refreshUser();
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  const { token } = search;
  if (claimed) return <Claimed manage={administers ? () => setClaimed(false) : undefined} />;
  if (administers) return <Installation />;
  return (
    <div className="hero">
      <Empty
        page
        icon="server"
        title={token ? t('install.claim_title') : t('install.no_link_title')}
        acts={
          token && (
            <Button kind="primary" busy={busy} onClick={() => void claim(token)}>
              {t('install.claim')}
            </Button>
          )
        }
      >
        {token ? t('install.claim_body') : t('install.no_link_body')}
      </Empty>
    </div>
  );
}

/** The link has been used; it never shows the "link needed" page to the person who just used it. */
function Claimed({ manage }: { manage: (() => void) | undefined }) {
  const navigate = useNavigate();
  return (
    <div className="hero">
      <Empty
        page
        icon="check"
        title={t('install.claimed')}
        acts={
          <>
            <Button kind="primary" onClick={() => void navigate({ to: '/' })}>
              {t('install.to_overview')}
            </Button>
            {manage && <Button onClick={manage}>{t('personal.install')}</Button>}
          </>
        }
      >
        {t('install.claimed_body')}
      </Empty>
    </div>
  );
}

function Installation() {
  const { data } = useRead('/api/v3/open/installation', {});
  return (
    <Page title={t('personal.install')}>
      <Card title={t('install.state')}>
        <dl className="facts">
          <dt>{t('install.version')}</dt>
          <dd>{data?.version ?? '—'}</dd>
          <dt>{t('install.registration')}</dt>
          <dd>{data && (data.registration_open ? t('install.open') : t('install.closed'))}</dd>
          <dt>{t('install.messages')}</dt>
          <dd>{data && (data.outbox ? t('install.outbox') : t('install.provider'))}</dd>
        </dl>
      </Card>
      <p className="notice">{t('planned.install')}</p>
    </Page>
  );
}
