/** The beginning of a message `state`, as the clients write it; one that begins otherwise is parsed to find out. */
const stateBegins = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"[^"\\]{0,8}"\s*,\s*)?"method"\s*:\s*"state"\s*[,}]/;
/** The expression above never looks further. */
const looksAt = 128;

/** Whether a frame looks like a state report, without parsing it: reports are large and many, and others read them. */
export function looksLikeState(frame: Buffer): boolean {
  return stateBegins.test(frame.toString('latin1', 0, looksAt));
}
