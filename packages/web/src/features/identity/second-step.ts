import { ApiError } from '../../app/api-error.ts';

/** A sign-in that has to be ended with a second factor. */
export interface SecondStep {
  ticket: string;
  remember: boolean;
}

/** Goes on when a sign-in asks for its second step (2006). @returns whether it does */
export function goesOn(error: unknown, remember: boolean, onSecond: (step: SecondStep) => void): boolean {
  const ticket = error instanceof ApiError && error.code === 2006 ? error.data.ticket : undefined;
  if (typeof ticket !== 'string') return false;
  onSecond({ ticket, remember });
  return true;
}
