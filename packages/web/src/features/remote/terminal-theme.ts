import type { ITheme, Terminal } from '@xterm/xterm';

const tokens = {
  background: '--panel',
  foreground: '--ink',
  cursor: '--ink',
  cursorAccent: '--panel',
  selectionBackground: '--brand-bg',
  black: '--line-2',
  red: '--bad',
  green: '--ok',
  yellow: '--warn',
  blue: '--brand',
  magenta: '--c4',
  cyan: '--c3',
  white: '--ink-2',
  brightBlack: '--ink-3',
  brightRed: '--bad-2',
  brightGreen: '--ok',
  brightYellow: '--c2',
  brightBlue: '--brand-2',
  brightMagenta: '--c5',
  brightCyan: '--c3',
  brightWhite: '--ink',
} as const satisfies ITheme;

export function terminalLooks(): { theme: ITheme; fontFamily: string } {
  const style = getComputedStyle(document.documentElement);
  const value = (token: string) => style.getPropertyValue(token).trim();
  const theme = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, value(token)]));
  return { theme, fontFamily: value('--mono') };
}

/** Follows the attribute that sets all colours. Returns a function that stops it. */
export function followTheme({ options }: Pick<Terminal, 'options'>): () => void {
  const watch = new MutationObserver(() => {
    options.theme = terminalLooks().theme;
  });
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => watch.disconnect();
}
