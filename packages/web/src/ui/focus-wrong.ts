import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the first invalid field whenever `said` changes, so that screen readers read its error.
 * @returns ref of the form or the element around the fields
 */
export function useFocusWrong<E extends HTMLElement = HTMLFormElement>(said: object): RefObject<E | null> {
  const form = useRef<E>(null);
  useEffect(() => {
    if (!Object.values(said).some(Boolean)) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [said]);
  return form;
}
