import { type MessageKey, t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import './identity.css';

const parts = ['what', 'account', 'data', 'devices', 'duty', 'change'] as const;

/** The terms that a person agrees to when registering; versioned and printable. */
export function ProtocolScreen() {
  return (
    <main className="paper">
      <div className="spread">
        <h1>{t('title.register_protocol')}</h1>
        <Button icon="printer" onClick={() => print()}>
          {t('protocol.print')}
        </Button>
      </div>
      <p className="dim">{t('protocol.version')}</p>
      {parts.map((part) => (
        <section key={part}>
          <h2>{t(`protocol.${part}_title` as MessageKey)}</h2>
          <p>{t(`protocol.${part}` as MessageKey)}</p>
        </section>
      ))}
    </main>
  );
}
