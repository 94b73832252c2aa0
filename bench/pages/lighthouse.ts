import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { freePorts } from '../lib/free-ports.ts';
import { inherited } from '../lib/server.ts';
import { flags } from './browser.ts';

const here = join(import.meta.dirname, '..');
const program = join(here, 'node_modules/lighthouse/cli/index.js');

export interface Scores {
  performance: number;
  accessibility: number;
  'best-practices': number;
}

export function installLighthouse(): void {
  if (existsSync(program)) return;
  console.log('Installing Lighthouse…');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--workspaces=false'];
  execFileSync('npm', args, { cwd: here, stdio: 'inherit' });
}

export async function lighthouse(url: string, token: string | null): Promise<Scores> {
  const folder = mkdtempSync(join(tmpdir(), 'yunxun-lighthouse-'));
  const [port = 0] = await freePorts(1);
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: '/usr/bin/chromium',
    args: [...flags, `--remote-debugging-port=${port}`],
  });
  try {
    if (token) await context.addCookies([{ name: 'yunxun_token', value: encodeURIComponent(token), url }]);
    const report = join(folder, 'report.json');
    const options = [`--port=${port}`, '--preset=desktop', '--output=json', `--output-path=${report}`, '--quiet'];
    const categories = '--only-categories=performance,accessibility,best-practices';
    // asynchronous: this process serves the browser
    await promisify(execFile)(process.execPath, [program, url, ...options, categories, '--disable-storage-reset'], {
      env: inherited(),
      timeout: 120_000,
    });
    const { categories: found } = JSON.parse(readFileSync(report, 'utf8')) as {
      categories: Record<string, { score: number }>;
    };
    const score = (name: string) => Math.round((found[name]?.score ?? 0) * 100);
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
    };
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
