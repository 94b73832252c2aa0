/** Start of a `state` message of known clients; others are parsed. */
const stateBegins = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"[^"\\]{0,8}"\s*,\s*)?"method"\s*:\s*"state"\s*[,}]/;
const looksAt = 128;

/** Detects reports without parsing, which the ingest thread does. */
export function looksLikeState(frame: Buffer): boolean {
  return stateBegins.test(frame.toString('latin1', 0, looksAt));
}
