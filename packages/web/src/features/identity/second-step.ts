import { ApiError } from '../../app/api-error.ts';

export interface SecondStep {
  ticket: string;
  remember: boolean;
}

/** Starts if the error asks for it (2006). @returns whether it does */
export function goesOn(error: unknown, remember: boolean, onSecond: (step: SecondStep) => void): boolean {
  const ticket = error instanceof ApiError && error.code === 2006 ? error.data.ticket : undefined;
  if (typeof ticket !== 'string') return false;
  onSecond({ ticket, remember });
  return true;
}
