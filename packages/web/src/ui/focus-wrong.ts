import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the first wrong field of a form whenever something new is said about its fields, so that whoever
 * does not see the page hears what it is. @returns the ref of the form, or of whatever holds the fields
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
