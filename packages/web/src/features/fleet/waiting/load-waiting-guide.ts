import { loadTexts } from '../../../app/i18n.ts';

export async function loadWaitingGuide() {
  const [module] = await Promise.all([import('./waiting-guide.tsx'), loadTexts('onboarding')]);
  return { default: module.WaitingGuide };
}

export async function loadEnrolmentRequests() {
  const [module] = await Promise.all([import('./enrolment-requests.tsx'), loadTexts('onboarding')]);
  return { default: module.EnrolmentRequests };
}

export async function loadSerialTransfers() {
  const [module] = await Promise.all([import('./serial-transfers.tsx'), loadTexts('onboarding')]);
  return { default: module.SerialTransfers };
}

export async function loadBindingCodes() {
  const [module] = await Promise.all([import('./binding-codes.tsx'), loadTexts('onboarding')]);
  return { default: module.BindingCodes };
}
