import { useState } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { useCountdown } from './countdown.ts';

/** Button that requests a code, then counts down the seconds that the server returned. */
export function CodeButton(props: {
  way: 'mobile' | 'email';
  to: string;
  /** Error of the address; null if a code can be requested. */
  why: string | null;
  /** Called when pressed while `why` is set. */
  onRefused: (why: string) => void;
  /** Requests the code; resolves to the seconds to wait, or null if none was sent. */
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
