export { escapeHtml } from './html.ts';
export {
  askedPage,
  connectingPage,
  countdownPage,
  errorPage,
  type Frame,
  leavingPage,
  type Online,
  onlinePage,
  type PageError,
  paymentPage,
  type SignIn,
  signInPage,
  sponsorPage,
  termsOf,
  type Way,
} from './pages.ts';
export { previewBody } from './preview.ts';
export { styleSheet, textOn } from './style.ts';
export { type PageLocale, type PortalError, pageText, portalErrors } from './texts.ts';
