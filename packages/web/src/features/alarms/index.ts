export { Browsers } from './browsers.tsx';
export { kindText, nameText } from './labels.ts';
export { loadSiteSilenceDialog, loadSiteSilenceNotice } from './load-site-silence.ts';
export { NoticeTable } from './notice-table.tsx';
export { Subscriptions } from './subscriptions.tsx';
