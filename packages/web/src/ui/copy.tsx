import { useRef, useState } from 'react';
import { t } from '../app/i18n.ts';
import { IconButton } from './button.tsx';
import { notify } from './toast.tsx';

/** Copies and notifies. If the browser refuses, selects the text to copy by hand. */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // no clipboard API on plain HTTP
    if (shown) getSelection()?.selectAllChildren(shown);
    if (!shown || !document.execCommand('copy')) {
      notify('bad', t('copy.failed'));
      return false;
    }
  }
  notify('ok', t('copy.done'));
  return true;
}

export function CopyText({ text, label, block }: { text: string; label: string; block?: boolean }) {
  const shown = useRef<HTMLElement>(null);
  const [done, setDone] = useState(false);
  return (
    <span className={block ? 'copy-block' : 'row copy-row'}>
      <code ref={shown} className="mono copy-code">
        {block ? <Words text={text} /> : text}
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

/** Breaks a command between words: a split `-s` would read as `-`. */
function Words({ text }: { text: string }) {
  return [...text.matchAll(/\S+|\s+/g)].map(({ 0: part, index }) =>
    part.trim() === '' ? (
      part
    ) : (
      <span key={index} className="copy-word">
        {part}
      </span>
    ),
  );
}
