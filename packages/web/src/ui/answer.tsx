import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { clock } from './format.ts';
import { Icon } from './icon.tsx';
import './answer.css';

export interface Answer<T> {
  data: T | undefined;
  error: unknown;
  dataUpdatedAt: number;
  /** Data of the previous query key. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

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
