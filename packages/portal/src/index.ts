export { escapeHtml } from './html.ts';
export {
  askedPage,
  connectingPage,
  countdownPage,
  errorPage,
  type Frame,
  keptFields,
  leavingPage,
  type Online,
  onlinePage,
  type PageError,
  paymentPage,
  type SignIn,
  signInPage,
  sponsorPage,
  type Typed,
  termsOf,
  type Way,
} from './pages.ts';
export { previewBody } from './preview.ts';
export { styleSheet, textOn } from './style.ts';
export { type PageLocale, type PortalError, pageText, portalErrors } from './texts.ts';
