import { useSyncExternalStore } from 'react';

/** Light is the default; the attribute on the document decides every colour, so a switch renders nothing again. */
export type Theme = 'light' | 'dark';

const KEY = 'yunxun.theme';
const ATTRIBUTE = 'data-theme';
const listeners = new Set<() => void>();

/** The theme on screen now. */
export function currentTheme(): Theme {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light';
}

/** Shows a theme and keeps it for this session. */
export function setTheme(theme: Theme): void {
  document.documentElement.setAttribute(ATTRIBUTE, theme);
  sessionStorage.setItem(KEY, theme);
  for (const listener of listeners) listener();
}

/** What a saved choice means on this computer now. */
function resolve(choice: Theme | 'system'): Theme {
  if (choice !== 'system') return choice;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * Takes the theme kept on the server. At sign-in it wins over the session's; later it only fills a session that has
 * none yet (a new tab), because the session keeps the current one.
 */
export function adoptTheme(choice: Theme | 'system', atSignIn: boolean): void {
  if (atSignIn || sessionStorage.getItem(KEY) === null) setTheme(resolve(choice));
}

/** The current theme, for parts that show it. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
