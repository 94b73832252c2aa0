/** Cards of a network's overview that other features bring; for `lazy`. */
export async function loadNetworkTimeline() {
  const { loadNetworkTimeline: load } = await import('../features/network-timeline/load-network-timeline.ts');
  return load();
}

export async function loadNetworkFlow() {
  const { loadNetworkFlow: load } = await import('../features/statistics/load-network-flow.ts');
  return load();
}
