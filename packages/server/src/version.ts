/** Defined at build time from package.json. */
declare const YUNXUN_VERSION: string | undefined;

export const version = typeof YUNXUN_VERSION === 'string' ? YUNXUN_VERSION : 'development';
