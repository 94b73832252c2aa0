import { useEffect } from 'react';
import { type MessageKey, t } from '../../app/i18n.ts';
import { Brand } from '../../app/shell/centered-card.tsx';
import { LanguageMenu } from '../../app/shell/preferences.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from './frame.tsx';
import './identity.css';

/** Version of the text; changes with every edit. */
const VERSION = '1.1';
const DATE = '2026-11-21';
const parts = ['what', 'account', 'data', 'devices', 'duty', 'change'] as const;

export function ProtocolScreen() {
  useEffect(() => {
    document.title = `${t('title.register_protocol')} · ${t('product.name')}`;
  }, []);
  return (
    <main className="paper">
      <div className="paper-bar">
        <Brand to="/login" />
        <LanguageMenu />
        <Button icon="printer" onClick={() => print()}>
          {t('protocol.print')}
        </Button>
      </div>
      <h1>{t('title.register_protocol')}</h1>
      <p className="dim">
        {t('protocol.version', { version: VERSION })} ·{' '}
        <time dateTime={DATE}>{t('protocol.date', { date: DATE })}</time>
      </p>
      <Notice>{t('protocol.default')}</Notice>
      {parts.map((part) => (
        <section key={part}>
          <h2>{t(`protocol.${part}_title` as MessageKey)}</h2>
          <p>{t(`protocol.${part}` as MessageKey)}</p>
        </section>
      ))}
    </main>
  );
}
