import type { SecondStep } from './second-step.ts';

export interface WayIn {
  remember: boolean;
  setRemember: (remember: boolean) => void;
  onSecond: (step: SecondStep) => void;
  login: string;
}
