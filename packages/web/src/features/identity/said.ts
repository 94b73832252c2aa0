import { ApiError, UNREACHABLE } from '../../app/api-error.ts';
import { notifyError } from '../../ui/toast.tsx';

/** What the fields of a form say below themselves, by their own names. */
export type Said<K extends string> = Partial<Record<K, string | null | undefined>>;

/**
 * The sentences of a 422, each for the field that it is about; they are shown in turn as well (spec section 8). Null for
 * every other error, of which nothing is said yet.
 * @param fields the form's fields, and what each is called in the call
 */
export function complaintsOf<K extends string>(error: unknown, fields: Readonly<Record<K, string>>): Said<K> | null {
  if (!(error instanceof ApiError) || error.code !== 422) return null;
  notifyError(error);
  const names = Object.entries(fields) as [K, string][];
  return Object.fromEntries(names.map(([field, name]) => [field, error.field(name)])) as Said<K>;
}

/** Whether an error is about what was typed: no missing answer, no "too many requests", no broken proxy. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== UNREACHABLE && error.status < 429;
}

/** A sign-in that has to be ended with a second factor. */
export interface SecondStep {
  ticket: string;
  remember: boolean;
}

/** The second step that a sign-in asks for (2006), or null. */
export function secondStepOf(error: unknown, remember: boolean): SecondStep | null {
  const ticket = error instanceof ApiError && error.code === 2006 ? error.data.ticket : undefined;
  return typeof ticket === 'string' ? { ticket, remember } : null;
}
