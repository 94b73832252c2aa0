const phone = /^\+?(86)?(1[3-9]\d)\d{4}(\d{4})$/;

/** Masks phone numbers; other account names stay. */
export function maskAccount(username: string | null): { phone_masked: string | null; account: string | null } {
  if (!username) return { phone_masked: null, account: null };
  const [, , head, tail] = phone.exec(username) ?? [];
  if (head && tail) return { phone_masked: `${head}****${tail}`, account: null };
  const at = username.lastIndexOf('@');
  if (at > 0) return { phone_masked: null, account: `${username[0]}***${username.slice(at)}` };
  // may be personal too
  if (/^\+?\d{7,}$/.test(username)) {
    return { phone_masked: `${username.slice(0, 3)}****${username.slice(-2)}`, account: null };
  }
  return { phone_masked: null, account: username };
}
