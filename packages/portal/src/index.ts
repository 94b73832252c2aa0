export type { PageLocale } from './catalogue.ts';
export { type Frame, type PageError, termsOf } from './frame.ts';
export { escapeHtml, html, type Markup } from './html.ts';
export { keptFields, type MethodData } from './methods/forms.ts';
export { leavingPage } from './methods/login.ts';
export type { Typed } from './methods/method-form.ts';
export { paymentPage } from './methods/purchase/pages.ts';
export { askedPage, sponsorPage } from './methods/sponsor/pages.ts';
export {
  connectingPage,
  countdownPage,
  errorPage,
  type Online,
  onlinePage,
  type SignIn,
  signInPage,
  type Way,
} from './pages.ts';
export { previewBody } from './preview.ts';
export { styleSheet, textOn } from './style.ts';
export { type PortalError, pageText, portalErrors } from './texts.ts';
