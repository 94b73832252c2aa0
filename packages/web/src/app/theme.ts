import { useSyncExternalStore } from 'react';

/** Light is the default; the attribute on the document decides every colour, so a switch renders nothing again. */
export type Theme = 'light' | 'dark';
/** What a person may choose: `system` follows the operating system, also while the page is open. */
export type ThemeChoice = Theme | 'system';

// boot.js reads the same key before the first paint
const KEY = 'yunxun.theme';
const ATTRIBUTE = 'data-theme';
const listeners = new Set<() => void>();
let following = false;

/** The theme on screen now. */
export function currentTheme(): Theme {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light';
}

/** Shows a theme and keeps the choice for this session. */
export function setTheme(choice: ThemeChoice): void {
  sessionStorage.setItem(KEY, choice);
  show();
}

/** What was chosen in this session; null: nothing. */
export function chosenTheme(): ThemeChoice | null {
  const choice = sessionStorage.getItem(KEY);
  return choice === 'light' || choice === 'dark' || choice === 'system' ? choice : null;
}

/** Follows the operating system from now on, whenever the session's choice is to do so. Called once. */
export function followSystemTheme(): void {
  if (following) return;
  following = true;
  system().addEventListener('change', show);
  show();
}

/**
 * Takes the theme kept on the server. At sign-in it wins over the session's; later it only fills a session that has
 * none yet (a new tab), because the session keeps the current one.
 */
export function adoptTheme(choice: ThemeChoice, atSignIn: boolean): void {
  if (atSignIn || sessionStorage.getItem(KEY) === null) setTheme(choice);
}

/** The current theme, for parts that show it. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}

const system = () => matchMedia('(prefers-color-scheme: dark)');

function show(): void {
  const choice = sessionStorage.getItem(KEY);
  const dark = choice === 'system' ? system().matches : choice === 'dark';
  document.documentElement.setAttribute(ATTRIBUTE, dark ? 'dark' : 'light');
  for (const listener of listeners) listener();
}
