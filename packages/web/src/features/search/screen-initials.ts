/**
 * Pinyin initials of screen names by their keys in the catalogue. The build fills them in (vite.config.ts): a dictionary is
 * too large for a page.
 */
export const screenInitials: Readonly<Record<string, string>> = {};
