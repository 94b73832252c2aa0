export const isLocal = (host: string): boolean => /^(localhost|127\.|\[?::1\]?$)/.test(host);
