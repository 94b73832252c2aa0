export async function loadCreateNetwork() {
  return { default: (await import('./create-network.tsx')).CreateNetwork };
}
