import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { CheckField } from '../../ui/field.tsx';

export function ScopeGroups(props: {
  value: readonly string[];
  error: string | null | undefined;
  onChange: (ids: string[]) => void;
}) {
  const { value, error, onChange } = props;
  const { data } = useRead('/api/v3/ap/group/list', {});
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id]);
  return (
    <fieldset className="stack stack-s">
      <legend className="field-label">{t('alarm.groups')}</legend>
      {data?.list.length === 0 && <p className="dim">{t('alarm.groups_none')}</p>}
      {data?.list.map(({ id, name }) => (
        <CheckField key={id} checked={value.includes(id)} onChange={() => toggle(id)}>
          {name}
        </CheckField>
      ))}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  );
}
