import { grantable, type Permission } from '@yunxun/contract/permissions';
import { type MessageKey, t } from '../../app/i18n.ts';
import { Choice } from '../../ui/choice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { permissionName } from '../../ui/refusal.ts';
import { useSaid } from '../../ui/said.ts';

/** What is often ticked together. */
export const presets = {
  view: ['network.read', 'config.read', 'statistics.read', 'user.read', 'job.read', 'message.read'],
  operate: [
    ...['network.read', 'config.read', 'statistics.read', 'user.read', 'job.read', 'message.read'],
    ...['network.write', 'network.reboot', 'config.write', 'user.write', 'job.write', 'message.write'],
  ],
  manage: grantable,
} as const as Readonly<Record<'view' | 'operate' | 'manage', readonly Permission[]>>;
type Preset = keyof typeof presets | 'own';

const names = ['view', 'operate', 'manage', 'own'] as const satisfies readonly Preset[];
const areaOf = (permission: Permission) => permission.split('.')[0]!;
const areas = [...new Set(grantable.map(areaOf))];
const inOrder = (chosen: ReadonlySet<Permission>) => grantable.filter((permission) => chosen.has(permission));

/** The preset that holds exactly these, else the own choice. */
export function presetOf(chosen: readonly Permission[]): Preset {
  const same = (preset: readonly Permission[]) =>
    preset.length === chosen.length && preset.every((permission) => chosen.includes(permission));
  return names.find((name) => name !== 'own' && same(presets[name])) ?? 'own';
}

/** Ticks or unticks one: whoever changes something must see it, and who does not see it changes nothing there. */
export function toggled(chosen: readonly Permission[], permission: Permission): Permission[] {
  const next = new Set(chosen);
  const read = `${areaOf(permission)}.read` as Permission;
  if (!next.delete(permission)) {
    next.add(permission);
    next.add(read);
  } else if (permission === read) {
    for (const other of chosen) if (areaOf(other) === areaOf(read)) next.delete(other);
  }
  return inOrder(next);
}

/** What may be done on hosted networks, by area, with what is often ticked together. */
export function PermissionsField(props: {
  value: readonly Permission[];
  onChange: (permissions: readonly Permission[]) => void;
  error?: string | null | undefined;
}) {
  const preset = presetOf(props.value);
  const wrong = useSaid(props.error, props.value);
  return (
    <>
      <Choice
        label={t('hosting.permissions')}
        value={preset}
        onChange={(name) => name !== 'own' && props.onChange(presets[name])}
        options={names
          .filter((name) => name !== 'own' || preset === 'own')
          .map((name) => ({ value: name, label: t(`hosting.preset_${name}`) }))}
      />
      <fieldset className="picks permission-groups" aria-invalid={wrong ? true : undefined} tabIndex={-1}>
        <legend className="sr">{t('hosting.permissions')}</legend>
        {areas.map((area) => (
          <div key={area} className="permission-group">
            <span className="field-label">{t(`hosting.area_${area}` as MessageKey)}</span>
            {grantable
              .filter((permission) => areaOf(permission) === area)
              .map((permission) => (
                <CheckField
                  key={permission}
                  checked={props.value.includes(permission)}
                  onChange={() => props.onChange(toggled(props.value, permission))}
                >
                  {permissionName(permission)}
                </CheckField>
              ))}
          </div>
        ))}
        {wrong && (
          <p className="field-error" role="alert">
            {wrong}
          </p>
        )}
      </fieldset>
    </>
  );
}
