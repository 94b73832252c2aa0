import { useState } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { useCountdown } from './countdown.ts';

/** Requests a code, then counts down the server's seconds. */
export function CodeButton(props: {
  way: 'mobile' | 'email';
  to: string;
  /** Error of the address; null: none. */
  why: string | null;
  /** Runs on a press while `why` is set. */
  onRefused: (why: string) => void;
  /** @returns seconds to wait, or null if nothing was sent */
  send: () => Promise<number | null>;
}) {
  const { why } = props;
  const [left, start] = useCountdown(props.way, props.to);
  const [busy, setBusy] = useState(false);
  return (
    <Button
      className="code-button"
      busy={busy}
      disabled={left > 0}
      why={left > 0 || why === null ? undefined : why}
      onBlocked={() => {
        if (left === 0 && why !== null) props.onRefused(why);
      }}
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
