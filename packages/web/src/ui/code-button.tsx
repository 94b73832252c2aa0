import { useState } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { useCountdown } from './countdown.ts';

/** Asks for a code; after a success it counts down for as long as the server says. */
export function CodeButton(props: {
  way: 'mobile' | 'email';
  /** Where the code goes; the countdown belongs to it. */
  to: string;
  /** What is wrong with the address; null when a code may be asked for. */
  why: string | null;
  /** Pressed while something is wrong with the address. */
  onRefused: (why: string) => void;
  /** Asks for the code; answers the seconds to wait, or null when it was not sent. */
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
