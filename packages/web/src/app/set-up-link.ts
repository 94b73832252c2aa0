/** Whether an address is the administrator's one-time link. */
export const isSetUp = (address: string | undefined): boolean => Boolean(address?.startsWith('/install?token='));
