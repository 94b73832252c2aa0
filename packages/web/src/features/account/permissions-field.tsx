import {
  type AssignablePermission,
  areaOf,
  grantable,
  type Permission,
  permissions,
} from '@yunxun/contract/permissions';
import { t } from '../../app/i18n.ts';
import { Choice } from '../../ui/choice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { permissionName } from '../../ui/refusal.ts';
import { useShownError } from '../../ui/shown-error.ts';

export const presets = {
  view: ['network.read', 'config.read', 'statistics.read', 'user.read', 'voucher.read', 'job.read', 'message.read'],
  operate: [
    'network.read',
    'config.read',
    'statistics.read',
    'user.read',
    'voucher.read',
    'job.read',
    'message.read',
    'network.write',
    'network.reboot',
    'remote.use',
    'config.write',
    'user.write',
    'guest.reception',
    'voucher.write',
    'job.write',
    'message.write',
  ],
  manage: grantable,
} as const as Readonly<Record<'view' | 'operate' | 'manage', readonly AssignablePermission[]>>;
type Preset = keyof typeof presets | 'own';

const names = ['view', 'operate', 'manage', 'own'] as const satisfies readonly Preset[];
const inOrder = (chosen: ReadonlySet<Permission>) => permissions.filter((permission) => chosen.has(permission));

export function presetOf(chosen: readonly Permission[]): Preset {
  const same = (preset: readonly Permission[]) =>
    preset.length === chosen.length && preset.every((permission) => chosen.includes(permission));
  return names.find((name) => name !== 'own' && same(presets[name])) ?? 'own';
}

const isPermission = (text: string): text is Permission => permissions.some((one) => one === text);

/** Write includes read; losing read removes write. */
export function toggled(chosen: readonly Permission[], permission: AssignablePermission): Permission[] {
  const next = new Set(chosen);
  const read = `${areaOf(permission)}.read`;
  if (!next.delete(permission)) {
    next.add(permission);
    if (isPermission(read)) next.add(read);
  } else if (permission === read) {
    for (const other of chosen) if (areaOf(other) === areaOf(permission)) next.delete(other);
  }
  return inOrder(next);
}

export function PermissionsField(props: {
  /** What can be ticked; presets with more are not offered. */
  offered?: readonly AssignablePermission[];
  value: readonly Permission[];
  onChange: (permissions: readonly Permission[]) => void;
  error?: string | null | undefined;
}) {
  const { offered = grantable } = props;
  const preset = presetOf(props.value);
  const areas = [...new Set(offered.map((permission) => areaOf(permission)))];
  const wrong = useShownError(props.error, props.value);
  return (
    <>
      <Choice
        label={t('hosting.permissions')}
        value={preset}
        onChange={(name) => name !== 'own' && props.onChange(presets[name])}
        options={names
          .filter((name) =>
            name === 'own' ? preset === 'own' : presets[name].every((permission) => offered.includes(permission)),
          )
          .map((name) => ({ value: name, label: t(`hosting.preset_${name}`) }))}
      />
      <fieldset className="picks permission-groups" aria-invalid={wrong ? true : undefined} tabIndex={-1}>
        <legend className="sr">{t('hosting.permissions')}</legend>
        {areas.map((area) => (
          <div key={area} className="permission-group">
            <span className="field-label">{t(`hosting.area_${area}`)}</span>
            {offered
              .filter((permission) => areaOf(permission) === area)
              .map((permission) => (
                <CheckField
                  key={permission}
                  checked={props.value.includes(permission)}
                  onChange={() => props.onChange(toggled(props.value, permission))}
                  hint={t(`permission_hint.${permission}`)}
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
