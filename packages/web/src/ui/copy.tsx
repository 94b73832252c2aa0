import { useRef, useState } from 'react';
import { t } from '../app/i18n.ts';
import { IconButton } from './button.tsx';
import { notify } from './toast.tsx';

/** Copies text; says "copied", or selects it and says to copy by hand where the browser refuses. */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    notify('ok', t('copy.done'));
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    notify('bad', t('copy.failed'));
    return false;
  }
}

/** Text in the fixed-width face with a button that copies it. */
export function CopyText({ text, label, block }: { text: string; label: string; block?: boolean }) {
  const shown = useRef<HTMLElement>(null);
  const [done, setDone] = useState(false);
  return (
    <span className={block ? 'copy-block' : 'row copy-row'}>
      <code ref={shown} className="mono copy-code">
        {text}
      </code>
      <IconButton
        icon={done ? 'check' : 'copy'}
        label={label}
        onClick={async () => {
          if (!(await copyText(text, shown.current))) return;
          setDone(true);
          setTimeout(() => setDone(false), 2000);
        }}
      />
    </span>
  );
}
