import { spawnSync } from 'node:child_process';

export function whyNot(...tools: readonly string[]): string | null {
  const missing = ['unshare', ...tools].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  const { status, stderr } = spawnSync('unshare', ['-n', 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `no network namespace: ${stderr.trim()}`;
}

export function ruleErrorOf(argv: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('unshare', ['-n', ...argv], { input, encoding: 'utf8' });
  if (error) return error.message;
  return status === 0 ? '' : `${stdout}${stderr}` || `exit code ${status}`;
}
