const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'";

export function contentPolicy(pictureOrigins: readonly string[] = []): string {
  return pictureOrigins.length === 0 ? policy : `${policy}; img-src 'self' ${pictureOrigins.join(' ')}`;
}
