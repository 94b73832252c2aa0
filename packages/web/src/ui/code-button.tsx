import { useEffect, useState } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';

/** The moment until which no other code may be asked for; kept so that a reload does not shorten the wait. */
function kept(key: string): number {
  return Number(localStorage.getItem(key)) || 0;
}

const secondsTo = (deadline: number) => Math.ceil((deadline - Date.now()) / 1000);

/**
 * Seconds until another message of a purpose may be asked for (0: now), which a reload does not shorten, and how to start
 * them.
 */
export function useCountdown(purpose: string): [left: number, start: (seconds: number) => void] {
  const key = `yunxun.code.${purpose}`;
  const [left, setLeft] = useState(() => secondsTo(kept(key)));
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setLeft(secondsTo(kept(key))), 250);
    return () => clearInterval(timer);
  }, [counting, key]);
  return [
    Math.max(0, left),
    (seconds) => {
      localStorage.setItem(key, String(Date.now() + seconds * 1000));
      setLeft(seconds);
    },
  ];
}

/** Asks for a code; after a success it counts down for as long as the server says. */
export function CodeButton(props: {
  /** What the countdown belongs to: one per purpose. */
  purpose: string;
  disabled: boolean;
  /** Asks for the code; answers the seconds to wait, or null when it was not sent. */
  send: () => Promise<number | null>;
}) {
  const [left, start] = useCountdown(props.purpose);
  const [busy, setBusy] = useState(false);
  return (
    <Button
      className="code-button"
      busy={busy}
      disabled={left > 0 || props.disabled}
      onClick={async () => {
        setBusy(true);
        const seconds = await props.send();
        setBusy(false);
        if (seconds !== null) start(seconds);
      }}
    >
      {left > 0 ? t('code.again_in', { n: left }) : t('code.send')}
    </Button>
  );
}
