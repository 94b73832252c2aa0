/**
 * Seconds of tests that a folder may take in the gate, on two quiet cores: a tenth more than it took when the budgets were
 * set. A feature that is not named may take 20.
 */
export const budgets = {
  'e2e/src': 390,
  'packages/edge/src': 75,
  'packages/server/src/features/account': 25,
  'packages/server/src/features/alarms': 240,
  'packages/server/src/features/backup': 40,
  'packages/server/src/features/billing': 110,
  'packages/server/src/features/configuration': 95,
  'packages/server/src/features/fleet': 115,
  'packages/server/src/features/identity': 45,
  'packages/server/src/features/jobs': 30,
  'packages/server/src/features/personal': 40,
  'packages/server/src/features/portal': 165,
  'packages/server/src/features/radius': 40,
  'packages/server/src/features/reports': 25,
  'packages/server/src/features/sdwan': 40,
  'packages/server/src/features/statistics': 60,
  'packages/server/src/features/templates': 80,
  'packages/server/src/features/users': 75,
  'packages/server/src/platform': 80,
  'packages/server/src/telemetry': 90,
  'packages/server/src/uplink': 70,
  'packages/server/test': 290,
  'packages/server/test/conformance': 345,
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
