import { t } from '../../app/i18n.ts';
import { CheckField } from '../../ui/field.tsx';

export function Agreement(props: {
  agreed: boolean;
  onChange: (agreed: boolean) => void;
  error: string | null | undefined;
}) {
  return (
    <CheckField checked={props.agreed} onChange={props.onChange} error={props.error ?? null}>
      {t('register.agree')}{' '}
      <a href="/register_protocol" target="_blank" rel="noreferrer">
        {t('title.register_protocol')}
      </a>
    </CheckField>
  );
}
