import type { Json } from './json.ts';

export interface ShellOptions {
  /**
   * `runs` (default): like the real firmware. `fails`: no script starts. `nothing`: scripts succeed without effect.
   */
  shell?: 'runs' | 'fails' | 'nothing';
  hidesFiles?: boolean;
}

export interface ScriptAnswer {
  status: Json;
  runs?: 'state' | 'health';
}

export function runScript(source: string, { shell = 'runs', hidesFiles }: ShellOptions, active: Json): ScriptAnswer {
  if (shell === 'nothing') return { status: { error: 0, result: '' } };
  if (shell === 'fails') return { status: { error: 127, result: '/bin/sh: permission denied' } };
  if (source.includes('/usr/share/ucentral/state.uc')) return { status: { error: 0, result: '' }, runs: 'state' };
  if (source.includes('/usr/share/ucentral/health.uc')) return { status: { error: 0, result: '' }, runs: 'health' };
  if (source.includes('/etc/ucentral/ucentral.active'))
    return hidesFiles
      ? { status: { error: 1, result: "head: can't open file: Permission denied" } }
      : { status: { error: 0, result: JSON.stringify(active) } };
  return { status: { error: 0, result: source } };
}
