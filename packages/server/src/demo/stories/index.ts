import { leavePast } from '../past-console.ts';
import { alarmRules } from './alarm-rules.ts';
import { backups } from './backups.ts';
import { clearing } from './clearing.ts';
import { guests } from './guests.ts';
import { incidents } from './incidents.ts';
import { incidentsNow } from './incidents-now.ts';
import { log } from './log.ts';
import { maintenance } from './maintenance.ts';
import { money } from './money.ts';
import { names } from './names.ts';
import { peripherals } from './peripherals.ts';
import { plugins } from './plugins.ts';
import { reception } from './reception.ts';
import { remote } from './remote.ts';
import { sdwan } from './sdwan.ts';
import { shield } from './shield.ts';
import { spare } from './spare.ts';
import type { DemoWorld, Story } from './story.ts';
import { templates } from './templates.ts';

export const stories: readonly Story[] = [
  names,
  maintenance,
  incidents,
  alarmRules,
  money,
  clearing,
  guests,
  reception,
  peripherals,
  remote,
  sdwan,
  shield,
  plugins,
  backups,
  templates,
  spare,
  log,
  // minutes
  incidentsNow,
];

/** Tells what earlier starts did not; a failure is logged with the story's name. */
export async function tellStories(world: DemoWorld, all: readonly Story[] = stories): Promise<void> {
  const { memory, save } = world.file;
  for (const { name, tell, resume } of all) {
    if (world.stopping.aborted) break;
    try {
      if (memory.finished.includes(name)) {
        await resume?.(world);
        continue;
      }
      await tell(world);
      memory.finished.push(name);
      save();
    } catch (error) {
      if (world.stopping.aborted) break;
      console.error(`The story "${name}" of the demo failed:`, error);
    }
  }
  await leavePast(world);
}
