import { useMay } from '../../../app/shell/current.ts';

const acts = ['tags', 'silence', 'maintenance', 'restart', 'template'] as const;
export type SetUpAct = (typeof acts)[number];

/** Of a call that names each network. */
export const maxNamed = 1000;

export function useSetUpActs(): readonly SetUpAct[] {
  const mayWrite = useMay('network.write');
  const may: Record<SetUpAct, boolean> = {
    tags: mayWrite,
    silence: useMay('message.write'),
    maintenance: mayWrite,
    restart: useMay('network.reboot'),
    template: useMay('config.write'),
  };
  return acts.filter((act) => may[act]);
}
