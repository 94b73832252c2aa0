import { type ReactNode, useEffect } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { Mark } from '../../app/shell/mark.tsx';
import { LanguageMenu, ThemeButton } from '../../app/shell/preferences.tsx';
import { useRead } from '../../app/use-call.ts';
import { Icon } from '../../ui/icon.tsx';
import { PatrolPicture } from './patrol-picture.tsx';
import './identity.css';

/** The frame of the pages outside the layout: what this is on the left, the form on the right. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  const { data } = useRead('/api/v3/open/installation', {});
  const [search] = useSearch();
  useEffect(() => {
    document.title = `${title} · ${t('product.name')}`;
  }, [title]);
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
          <LanguageMenu />
          <ThemeButton />
        </div>
        <div className="gate-form">
          <h1>{title}</h1>
          {search.next?.startsWith('/install?token=') && (
            <p className="notice">
              <Icon name="info" size={16} />
              <span>{t('install.account_first')}</span>
            </p>
          )}
          {children}
          {data?.outbox && (
            <p className="notice">
              <Icon name="info" size={16} />
              <span>{t('gate.outbox')}</span>
            </p>
          )}
        </div>
      </main>
    </div>
  );
}
