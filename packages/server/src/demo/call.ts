/** Posts to the public interface as the account's owner; rejects unless the code is 2000. */
export type Call = <T>(path: string, body: unknown) => Promise<T>;
