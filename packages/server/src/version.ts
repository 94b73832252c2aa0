/** The program's version; the build fills it in from package.json. */
declare const YUNXUN_VERSION: string | undefined;

export const version = typeof YUNXUN_VERSION === 'string' ? YUNXUN_VERSION : 'development';
