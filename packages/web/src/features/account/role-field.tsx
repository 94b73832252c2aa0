import type { Role } from '@yunxun/contract';
import { useId } from 'react';
import { t } from '../../app/i18n.ts';
import { roleMay } from './words.ts';
import '../../ui/choice.css';

/** One of the roles, each with what it may do spelled out. */
export function RoleField<R extends Role>(props: { roles: readonly R[]; value: R; onChange: (role: R) => void }) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className="field-label">{t('member.role')}</legend>
      <div className="roles">
        {props.roles.map((role) => (
          <label key={role} className="role">
            <input
              type="radio"
              name={name}
              checked={role === props.value}
              aria-describedby={`${name}-${role}`}
              onChange={() => props.onChange(role)}
            />
            <span>
              <strong>{t(`role.${role}`)}</strong>
              <span id={`${name}-${role}`} className="small dim">
                {roleMay(role)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Owners and admins see every network: whoever manages who works here could give itself the others. */
export function seesAll(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
