import { useEffect, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';

/** The moment until which no other code may be asked for; kept so that a reload does not shorten the wait. */
function kept(key: string): number {
  return Number(localStorage.getItem(key)) || 0;
}

/** Asks for a code; after a success it counts down for as long as the server says. */
export function CodeButton(props: {
  /** What the countdown belongs to: one per purpose. */
  purpose: string;
  disabled: boolean;
  /** Asks for the code; answers the seconds to wait, or null when it was not sent. */
  send: () => Promise<number | null>;
}) {
  const key = `yunxun.code.${props.purpose}`;
  const [left, setLeft] = useState(() => Math.ceil((kept(key) - Date.now()) / 1000));
  const [busy, setBusy] = useState(false);
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setLeft(Math.ceil((kept(key) - Date.now()) / 1000)), 250);
    return () => clearInterval(timer);
  }, [counting, key]);
  return (
    <Button
      className="code-button"
      busy={busy}
      disabled={counting || props.disabled}
      onClick={async () => {
        setBusy(true);
        const seconds = await props.send();
        setBusy(false);
        if (seconds === null) return;
        localStorage.setItem(key, String(Date.now() + seconds * 1000));
        setLeft(seconds);
      }}
    >
      {counting ? t('code.again_in', { n: left }) : t('code.send')}
    </Button>
  );
}
