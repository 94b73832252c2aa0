import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';

export function Steps({ names, at }: { names: readonly string[]; at: number }) {
  return (
    <ol className="steps" aria-label={t('steps.label')}>
      {names.map((name, index) => (
        <li key={name} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          <span className="step-mark">{index < at ? <Icon name="check" size={12} /> : index + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  );
}
