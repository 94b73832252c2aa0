import { type ReactNode, useEffect } from 'react';
import { locale, t } from '../../app/i18n.ts';
import { isForeign } from '../../app/language.ts';
import { useSearch } from '../../app/search.ts';
import { isSetUp } from '../../app/set-up-link.ts';
import { Mark } from '../../app/shell/mark.tsx';
import { OtherLanguage, ThemeButton } from '../../app/shell/preferences.tsx';
import { useRead } from '../../app/use-call.ts';
import { Icon } from '../../ui/icon.tsx';
import { PatrolPicture } from './patrol-picture.tsx';
import './identity.css';

interface Props {
  title: string;
  /** Of codes or links; `any`: other pages send; absent: none. */
  channel?: 'sms' | 'email' | 'any';
  children: ReactNode;
}

export function Frame({ title, channel, children }: Props) {
  const { data } = useRead('/api/v3/open/installation', {});
  const [search] = useSearch();
  const toFile = {
    sms: Boolean(data?.outbox_sms) && (channel === 'sms' || channel === 'any'),
    email: Boolean(data?.outbox_email) && (channel === 'email' || channel === 'any'),
  };
  useTitle(title);
  // its reader may not find it in a corner
  const beside = locale() === 'zh-CN' && isForeign();
  return (
    <div className="gate">
      <aside className="gate-side">
        <PatrolPicture />
        <div className="gate-brand">
          <Mark size={32} />
          {t('product.name')}
        </div>
        <div className="gate-words">
          <p className="gate-claim">{t('gate.claim')}</p>
          <ul>
            <li>{t('gate.fact_firmware')}</li>
            <li>{t('gate.fact_word')}</li>
            <li>{t('gate.fact_own')}</li>
          </ul>
        </div>
        <p className="gate-foot">{data ? t('gate.version', { version: data.version }) : ' '}</p>
      </aside>
      <main className="gate-main">
        <div className="gate-bar">
          {!beside && <OtherLanguage />}
          <ThemeButton />
        </div>
        <div className="gate-form">
          <div className="gate-title">
            <h1>{title}</h1>
            {beside && <OtherLanguage />}
          </div>
          {isSetUp(search.next) && <Notice>{t('install.account_first')}</Notice>}
          {children}
          {(toFile.sms || toFile.email) && (
            <Notice>
              {toFile.sms && toFile.email
                ? t('gate.outbox')
                : toFile.sms
                  ? t('gate.outbox_sms')
                  : t('gate.outbox_email')}
            </Notice>
          )}
        </div>
      </main>
    </div>
  );
}

export function Notice({ tone, children }: { tone?: 'ok' | 'warn' | undefined; children: ReactNode }) {
  return (
    <p className={tone ? `notice notice-${tone}` : 'notice'} role={tone === 'ok' ? 'status' : undefined}>
      <Icon name={tone === 'ok' ? 'check' : tone === 'warn' ? 'alert' : 'info'} size={16} />
      <span>{children}</span>
    </p>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t('product.name')}`;
  }, [title]);
}
