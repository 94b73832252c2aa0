export { countDay, type PastMessage, type PastSite } from './count.ts';
export { addText, type DayText, noText, openPastWriter, type PastWriter } from './write.ts';
