import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  kind?: 'primary' | 'danger' | 'quiet' | 'link' | 'plain';
  icon?: IconName;
  busy?: boolean;
  disabled?: boolean;
  why?: string | undefined;
  onBlocked?: (() => void) | undefined;
  large?: boolean;
  hint?: string | undefined;
  children?: ReactNode;
}

/** Stays focusable while disabled, so that keyboard users can read the reason. */
export function Button({
  kind = 'plain',
  icon,
  busy,
  disabled,
  why,
  onBlocked,
  hint,
  large,
  children,
  className,
  onClick,
  ...rest
}: Props) {
  const blocked = Boolean(disabled || busy || why);
  const classes = ['btn', kind === 'plain' ? '' : `btn-${kind}`, large ? 'btn-l' : '', className ?? ''];
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      aria-description={why}
      data-hint={why ?? hint}
      onClick={(event) => {
        if (!blocked) return onClick?.(event);
        event.preventDefault();
        onBlocked?.();
      }}
    >
      {busy ? <Icon name="spinner" size={16} spin /> : icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

export function IconButton({ label, className, kind = 'quiet', ...props }: Props & { label: string; icon: IconName }) {
  return <Button kind={kind} {...props} hint={label} aria-label={label} className={`btn-icon ${className ?? ''}`} />;
}
