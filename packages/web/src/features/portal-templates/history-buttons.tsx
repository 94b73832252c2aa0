import type { KeyboardEvent } from 'react';
import { t } from '../../app/i18n.ts';
import { IconButton } from '../../ui/button.tsx';

interface Steps {
  canUndo: boolean;
  canRedo: boolean;
  undo: () => void;
  redo: () => void;
}

export function HistoryButtons({ history }: { history: Steps }) {
  return (
    <>
      <IconButton icon="undo" label={t('portal.undo')} disabled={!history.canUndo} onClick={history.undo} />
      <IconButton
        icon="undo"
        className="portal-redo"
        label={t('portal.redo')}
        disabled={!history.canRedo}
        onClick={history.redo}
      />
    </>
  );
}

/** Ctrl-Z and Ctrl-Y, from any field inside. */
export const historyKeys =
  ({ undo, redo }: Pick<Steps, 'undo' | 'redo'>) =>
  (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y')) return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) redo();
    else undo();
  };
