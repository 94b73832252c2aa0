// Applies a plan with the agent's steps, without its transaction. Argument: a file with JSON { before, after, run }.
import { readFileSync } from 'node:fs';
import { changes } from '../../../packages/edge/src/apply/changes.ts';
import { MachineExecutor } from '../../../packages/edge/src/apply/executor.ts';
import { nothingOwned } from '../../../packages/edge/src/apply/ownership.ts';

const { before, after, run } = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const executor = new MachineExecutor(async () => {});
for (const step of changes(before, after, nothingOwned, run)) await executor.perform(step);
