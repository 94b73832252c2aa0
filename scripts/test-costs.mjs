/** Seconds of tests that a folder may take in the gate, on two quiet cores; a feature that is not named may take 20. */
export const budgets = {
  'e2e/src': 320,
  'packages/edge/src': 70,
  'packages/server/src/features/alarms': 160,
  'packages/server/src/features/backup': 30,
  'packages/server/src/features/billing': 80,
  'packages/server/src/features/configuration': 60,
  'packages/server/src/features/fleet': 80,
  'packages/server/src/features/identity': 35,
  'packages/server/src/features/jobs': 30,
  'packages/server/src/features/portal': 100,
  'packages/server/src/features/radius': 40,
  'packages/server/src/features/sdwan': 35,
  'packages/server/src/features/statistics': 50,
  'packages/server/src/features/templates': 50,
  'packages/server/src/features/users': 35,
  'packages/server/src/platform': 80,
  'packages/server/src/telemetry': 75,
  'packages/server/src/uplink': 30,
  'packages/server/test': 300,
  'packages/server/test/conformance': 240,
};
const otherFeature = 20;

/** Returns the folder to which a test file's cost is counted: a feature of the server, else at most three levels. */
export function folderOf(file) {
  const parts = file.split('/').slice(0, -1);
  const isFeature = parts[1] === 'server' && parts[3] === 'features';
  const levels = isFeature ? 5 : parts[1] === 'server' ? 4 : 3;
  return parts.slice(0, levels).join('/');
}

/**
 * Sums the costs of files by folder, dearest first. A folder beyond its budget is marked, and fails nothing: the same
 * tests take twice as long on a machine that is busy.
 * @param {readonly { file: string; ms: number }[]} files
 */
export function folderCosts(files) {
  const sums = new Map();
  for (const { file, ms } of files) {
    const folder = folderOf(file);
    const { count, seconds } = sums.get(folder) ?? { count: 0, seconds: 0 };
    sums.set(folder, { count: count + 1, seconds: seconds + ms / 1000 });
  }
  return [...sums]
    .map(([folder, { count, seconds }]) => {
      const budget = budgets[folder] ?? (folder.includes('/features/') ? otherFeature : null);
      return { folder, count, seconds, budget, isOver: budget !== null && seconds > budget };
    })
    .sort((a, b) => b.seconds - a.seconds);
}
