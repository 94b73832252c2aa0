import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** What `scripts/summary.mjs` prints at the end of the gate. */
export interface RunReportFile {
  files: { file: string; ms: number }[];
  failures: { file: string; test: string; reason: string }[];
}

const shown = 10;
const folder = join(import.meta.dirname, '../.build/runs');
const pathOf = (module: TestModule) => relative(join(import.meta.dirname, '..'), module.moduleId);

/** Prints the slowest files of a run of more than ten, or keeps times and failures for the summary of all runs. */
export class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = modules.map((module) => {
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      return { file: pathOf(module), ms: Math.round(collectDuration + setupDuration + duration) };
    });
    files.sort((a, b) => b.ms - a.ms);
    if (process.env.CI || process.env.KEEP_RUN_REPORT) {
      const failures = [
        ...modules.flatMap(failuresOf),
        ...unhandled.map((error) => ({ file: '', test: 'outside of any test', reason: reasonOf([error]) })),
      ];
      const report: RunReportFile = { files, failures };
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(report));
    } else if (files.length > shown)
      console.log(
        [
          'Slowest files:',
          ...files.slice(0, shown).map(({ file, ms }) => `  ${(ms / 1000).toFixed(1)} s  ${file}`),
        ].join('\n'),
      );
  }
}

function failuresOf(module: TestModule): RunReportFile['failures'] {
  const file = pathOf(module);
  const failed = [...module.children.allTests('failed')].map((test: TestCase) => ({
    file,
    test: test.fullName,
    reason: reasonOf(test.result().errors ?? []),
  }));
  // hooks and the file itself
  const outside = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
  return outside.length > 0 ? [...failed, { file, test: 'outside of its tests', reason: reasonOf(outside) }] : failed;
}

function reasonOf(errors: readonly { message?: string; diff?: string }[]): string {
  // the terminal's colours are no part of a reason
  return errors.map(({ message = '', diff = '' }) => stripVTControlCharacters(`${message}\n${diff}`)).join('\n');
}
