/** Filled by the build (vite.config.ts): a dictionary is too large for a page. */
export const screenInitials: Readonly<Record<string, string>> = {};
