import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useOver } from './use-over.ts';

const askEvery = 1000;

interface EntryProps {
  enter: () => Promise<{ address: string | null }>;
  over: ReactNode;
  onOver?: () => void;
}

/** Asks for the address of a page until its device has connected, and leaves for it. */
export function WebEntry({ enter, over, onOver }: EntryProps) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const ask = async () => {
      const answer = await enter().catch(() => null);
      if (isGone) return;
      if (answer === null) return setOver(true);
      if (answer.address !== null) return location.replace(answer.address);
      timer = setTimeout(() => void ask(), askEvery);
    };
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [enter]);
  useOver(isOver, onOver);
  return isOver ? over : <p role="status">{t('remote.web_waiting')}</p>;
}
