export const isSetUp = (address: string | undefined): boolean => Boolean(address?.startsWith('/install?token='));
