import type { ReactNode } from 'react';
import { type Draft, lockable } from './draft.ts';
import { nameOfLockable } from './field-labels.ts';
import { LockButton } from './lock-button.tsx';

/** Unset fields get a space, for alignment. */
export function locksOf(
  draft: Omit<Draft, 'name'>,
  onChange: (locks: readonly string[]) => void,
  readOnly: boolean,
): (path: string) => ReactNode {
  const set = new Map(lockable(draft).map((field) => [field.path, field]));
  return (path) => {
    const field = set.get(path);
    const locked = draft.locks.includes(path);
    if (!field || (readOnly && !locked)) return <span className="lock-room" />;
    return (
      <LockButton
        name={nameOfLockable(field)}
        locked={locked}
        onChange={(on) => readOnly || onChange(on ? [...draft.locks, path] : draft.locks.filter((one) => one !== path))}
      />
    );
  };
}
