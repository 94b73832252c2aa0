import { t } from '../../app/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import './lock-button.css';

export function LockButton(props: { name: string; locked: boolean; onChange: (locked: boolean) => void }) {
  const { name, locked } = props;
  return (
    <IconButton
      icon={locked ? 'lock' : 'lock_open'}
      label={t(locked ? 'template.unlock' : 'template.lock', { name })}
      aria-pressed={locked}
      className="lock-button"
      onClick={() => props.onChange(!locked)}
    />
  );
}
