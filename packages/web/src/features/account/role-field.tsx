import { type MemberRole, type Permission, type Role, rolePermissions } from '@yunxun/contract/permissions';
import { useId } from 'react';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { roleName } from '../../ui/refusal.ts';
import { useShownError } from '../../ui/shown-error.ts';
import { may } from './labels.ts';
import '../../ui/choice.css';

/** A standard role, or one of the account's own by its id. */
export interface RoleChoice {
  role: MemberRole;
  role_id: string | null;
}

export interface RoleOption extends RoleChoice {
  name: string;
  permissions: readonly Permission[];
}

export function useRoleOptions(standard: readonly Role[], given?: RoleChoice): RoleOption[] {
  const { permissions: mine } = useUser();
  const { data } = useRead('/api/v3/account/role/list', { page: 1, limit: 50 });
  const all: RoleOption[] = [
    ...standard.map((role) => ({
      role,
      role_id: null,
      name: roleName({ role, role_name: null }),
      permissions: rolePermissions[role],
    })),
    ...(data?.list ?? []).map(({ id, name, permissions }) => ({
      role: 'custom' as const,
      role_id: id,
      name,
      permissions,
    })),
  ];
  return all.filter(
    (option) =>
      option.permissions.every((permission) => mine.includes(permission)) || (given && sameRole(option, given)),
  );
}

export const sameRole = (one: RoleChoice, other: RoleChoice) =>
  one.role === other.role && one.role_id === other.role_id;

export function RoleField(props: {
  options: readonly RoleOption[];
  value: RoleChoice | null;
  onChange: (role: RoleChoice) => void;
  error?: string | null | undefined;
}) {
  const { value } = props;
  const name = useId();
  const wrong = useShownError(props.error, value);
  return (
    <fieldset className="choice" aria-invalid={wrong ? true : undefined} tabIndex={-1}>
      <legend className="field-label">{t('member.role')}</legend>
      <div className="roles">
        {props.options.map((option) => {
          const key = option.role_id ?? option.role;
          return (
            <label key={key} className="role">
              <input
                type="radio"
                name={name}
                checked={value !== null && sameRole(option, value)}
                aria-describedby={`${name}-${key}`}
                onChange={() => props.onChange({ role: option.role, role_id: option.role_id })}
              />
              <span>
                <strong>{option.name}</strong>
                <span id={`${name}-${key}`} className="small dim">
                  {may(option.permissions)}
                </span>
              </span>
            </label>
          );
        })}
      </div>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}

/** Members who manage members see all networks. */
export function seesAll(options: readonly RoleOption[], value: RoleChoice): boolean {
  return options.find((option) => sameRole(option, value))?.permissions.includes('account.write') ?? false;
}
