export { PlanButton } from './plan-button.tsx';
