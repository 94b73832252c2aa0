import {
  alarmBacktest as backtestContract,
  alarms as contract,
  alarmRules as rulesContract,
  alarmSilences as silencesContract,
} from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import { createAlarmActions } from './alarm-actions.ts';
import { createAlarmDevices } from './alarm-devices.ts';
import { alarmDetail, alarmMessages, countAlarms, type DetailDeps, knownAlarms, listAlarms } from './alarm-list.ts';
import { alarmMetric, alarmPeople } from './alarm-metric.ts';
import { previewPresets, simulateRule } from './backtest.ts';
import { createEvaluation, type EvaluationDeps } from './evaluation.ts';
import { networkAlarms } from './network-alarms.ts';
import {
  alarmsByNetwork,
  networkProblems,
  networksWithOfflineAlarms,
  openAlarmsAt,
  pastProblems,
} from './network-problems.ts';
import { createNotify, type NotifyDeps } from './notify/index.ts';
import { addressesOfUnbound } from './notify/unbind.ts';
import { applyPreset, createRule, listRules, removeRule, restoreRules, saveRule } from './rule-actions.ts';
import { ruleLevels } from './rule-levels.ts';
import { knownRules } from './rule-store.ts';
import { alarmSearch } from './search.ts';
import { similarAlarms } from './similar-alarms.ts';
import { createSiteSilences } from './site-silences.ts';
import { createSources } from './source-registry.ts';

export type { NetworkAlarm } from './network-alarms.ts';
export type { NetworkProblem, PastProblem } from './network-problems.ts';
export { loadVapidKeys } from './notify/vapid-keys.ts';
export { type AlarmSource, collector, dated, type Observation } from './source.ts';

export const incidents = {
  counts: countAlarms,
  messages: alarmMessages,
  byNetwork: alarmsByNetwork,
  ofNetwork: networkAlarms,
  problems: networkProblems,
  pastProblems,
  offlineNetworks: networksWithOfflineAlarms,
  openAt: openAlarmsAt,
};

type AlarmsDeps = Omit<EvaluationDeps, 'sources'> & NotifyDeps & DetailDeps;

export function createAlarms(deps: AlarmsDeps) {
  const { clock, topology } = deps;
  const sources = createSources();
  const history = { ...sources, topology };
  const actions = createAlarmActions(deps);
  const silences = createSiteSilences(deps);
  const { tasks, schedules } = createEvaluation({ ...deps, sources }, silences);
  const notify = createNotify(deps);
  return {
    routes: (): Route[] => [
      ...notify.routes(),
      ...implement(backtestContract, {
        simulate: ({ tx, acting, input }) => simulateRule(tx, acting.accountId, clock.now(), input, history),
        levels: ({ tx, acting, input }) => ruleLevels(tx, acting.accountId, clock.now(), input, history),
        presetPreview: ({ tx, acting }) => previewPresets(tx, acting.accountId, clock.now(), history),
        async presetApply({ tx, acting, input }) {
          await applyPreset(tx, acting, input.preset);
          return {};
        },
        async rulesRestore({ tx, acting, input }) {
          await restoreRules(tx, acting, input);
          return {};
        },
      }),
      ...implement(silencesContract, {
        siteSilence: ({ tx, acting, input }) => silences.get(tx, acting.accountId, input.gwid),
        async siteSilenceSave({ tx, acting, input: { gwid, ...length } }) {
          const { list, alarms } = await silences.save(tx, acting, [gwid], length);
          return { silence: list[0]!.silence, changed: alarms };
        },
        async siteSilenceCreate({ tx, acting, input: { gwids, ...length } }) {
          const { list, until } = await silences.save(tx, acting, gwids, length);
          return {
            list: list.map(({ silence, name, alarms }) => ({ gwid: silence.gwid, name, alarms })),
            until: until.toISOString(),
          };
        },
        async siteSilenceEnd({ tx, acting, input }) {
          await silences.end(tx, acting, input.gwid);
          return {};
        },
      }),
      ...implement(contract, {
        list: ({ tx, acting, input }) => listAlarms(tx, acting.accountId, clock.now(), input),
        get: ({ tx, acting, input }) => alarmDetail(tx, acting.accountId, clock.now(), input.id, deps),
        acknowledge: ({ tx, acting, input }) => actions.acknowledge(tx, acting, input),
        silence: ({ tx, acting, input }) => actions.silence(tx, acting, input),
        unsilence: ({ tx, acting, input }) => actions.unsilence(tx, acting, input.ids),
        resolve: ({ tx, acting, input }) => actions.resolve(tx, acting, input),
        metric: ({ tx, acting, input }) => alarmMetric(tx, acting.accountId, clock.now(), input.id, history),
        similar: ({ tx, acting, input }) => similarAlarms(tx, acting.accountId, clock.now(), input.id),
        people: ({ acting }) => alarmPeople(deps.database, acting),
        counts: ({ tx, acting }) => countAlarms(tx, acting.accountId, clock.now()),
      }),
      ...implement(rulesContract, {
        list: ({ tx, acting }) => listRules(tx, acting.accountId),
        async save({ tx, acting, input }) {
          await saveRule(tx, acting, input.rule);
          return {};
        },
        create: ({ tx, acting, input }) => createRule(tx, acting, input.rule),
        async remove({ tx, acting, input }) {
          await removeRule(tx, acting, input.id);
          return {};
        },
      }),
    ],
    join: sources.join,
    /** Before the scopes that name the network. */
    unbindAddresses: addressesOfUnbound,
    /** Removes alarms on unbind; moves those of a replaced device. */
    ...createAlarmDevices(deps),
    search: alarmSearch,
    objects: { alarm: knownAlarms, alarm_rule: knownRules, ...notify.objects },
    tasks: { ...tasks, ...notify.tasks },
    schedules: [...schedules, ...notify.schedules],
  };
}
