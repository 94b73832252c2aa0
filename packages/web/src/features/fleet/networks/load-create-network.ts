/** Loads the dialog that makes a network; for `lazy`. */
export async function loadCreateNetwork() {
  return { default: (await import('./create-network.tsx')).CreateNetwork };
}
