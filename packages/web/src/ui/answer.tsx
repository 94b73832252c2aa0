import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { clock } from './format.ts';
import { Icon } from './icon.tsx';
import './answer.css';

/** What a card needs to know of the call behind it. */
export interface Answer<T> {
  data: T | undefined;
  error: unknown;
  /** When `data` arrived. */
  dataUpdatedAt: number;
  /** It is that of what was looked at before. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

/** Of a card whose call failed after an earlier answer: the numbers stay, and this says from when they are. */
export function Kept({ answer }: { answer: Answer<unknown> }) {
  if (answer.data === undefined || !answer.error) return null;
  return (
    <p className="answer-kept small" role="status">
      <Icon name="alert" size={13} />
      <span>{t('answer.kept', { time: clock(new Date(answer.dataUpdatedAt), true) })}</span>
      <Button kind="link" onClick={() => void answer.refetch()}>
        {t('action.retry')}
      </Button>
    </p>
  );
}
