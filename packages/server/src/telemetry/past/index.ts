export { countDay, type PastMessage } from './count.ts';
export { addText, noText, openPastWriter, type PastWriter } from './write.ts';
