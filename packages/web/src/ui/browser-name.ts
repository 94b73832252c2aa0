export interface BrowserName {
  /** Null for programs and unknown browsers. */
  browser: string | null;
  system: string | null;
}

// Ordered: most browsers also contain others' names.
const browsers: readonly (readonly [string, RegExp])[] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//],
];
const systems: readonly (readonly [string, RegExp])[] = [
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows NT/],
  ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
];

/** Parses a `User-Agent`, which can be forged: use it only for people to recognise their sessions. */
export function browserName(userAgent: string): BrowserName {
  const found = browsers.find(([, pattern]) => pattern.test(userAgent));
  const version = found?.[1].exec(userAgent)?.[1];
  return {
    browser: found ? `${found[0]} ${version}` : null,
    system: systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null,
  };
}
