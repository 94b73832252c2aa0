import type { SecondStep } from './second-step.ts';

/** What the ways of signing in share. */
export interface WayIn {
  remember: boolean;
  setRemember: (remember: boolean) => void;
  /** The password or code was right, and a second factor is wanted. */
  onSecond: (step: SecondStep) => void;
  /** Fills in the name, after a new password was set. */
  login: string;
}
