export function maskLogin(login: string): string {
  const at = login.lastIndexOf('@');
  if (at > 0) return `${login[0]}***${login.slice(at)}`;
  return login.length < 8 ? '****' : `${login.slice(0, 3)}****${login.slice(-4)}`;
}
