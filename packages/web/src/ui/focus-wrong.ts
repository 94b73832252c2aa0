import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the first invalid field when `errors` changes, for screen readers.
 * @returns ref around the fields
 */
export function useFocusWrong<E extends HTMLElement = HTMLFormElement>(errors: object): RefObject<E | null> {
  const form = useRef<E>(null);
  useEffect(() => {
    if (!Object.values(errors).some(Boolean)) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [errors]);
  return form;
}
