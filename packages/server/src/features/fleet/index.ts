import { countNetworks } from './device-store.ts';
import { eventPeriods } from './events/event-periods.ts';
import { lastPathEvents, listPathEvents, pathEventsOf } from './events/path-events.ts';
import { firmwareOf, firmwareOfModels, versionCounts } from './firmware-facts.ts';
import { agentHosts } from './gateways/agent-hosts.ts';
import { edgeGateways } from './gateways/edge-gateways.ts';
import { gatewayOf, gatewaySerials } from './gateways/network-gateway.ts';
import { probingGateways } from './gateways/probing-gateways.ts';
import { devicesOfGroups, groupNames } from './groups.ts';
import { apStatuses, networkCounts, networkStates, routersByStorage } from './lists/counts.ts';
import { listNetworks, networkResults, networkRows, networksMatching } from './lists/network-list.ts';
import { measuredBy, offlineNetworks } from './lists/offline-networks.ts';
import { closedUntil, maintenanceWindows, windowAt } from './maintenance/windows.ts';
import {
  devicesOfModels,
  devicesOfNetwork,
  devicesOfNetworks,
  drawnDevices,
  findDevice,
  isAllOffline,
  managedDevices,
  modelsInUse,
  networkName,
  showSync,
  unconfirmedOf,
} from './managed-devices.ts';
import {
  accessPointCounts,
  accessPoints,
  deviceNameOf,
  deviceNames,
  networkGateways,
  networkNameOf,
  networkNames,
} from './names.ts';
import { onlineAmong, onlineItems } from './online-devices.ts';
import { absences, connectedDevices, membersOfNetworks, pastAbsences } from './outages/absences.ts';
import { availabilityOfNetworks, networkAvailability } from './outages/availability.ts';
import { consoleGraceMs } from './outages/cause.ts';
import { networkOutages } from './outages/network-outages.ts';
import { nightOutages, shortestS } from './outages/night-outages.ts';
import { onlineAt } from './outages/online-curve.ts';
import { recordPastOutages } from './outages/past-outages.ts';
import { explains, plannedAbsences } from './outages/planned-absences.ts';
import { configurationTroubles, placedDevices } from './placed-devices.ts';
import { devicesSeenIn, devicesToPlace, networksNamed } from './placement/placed.ts';
import { radiosOf } from './report.ts';
import { versionOf } from './restarts/agent-upgrade.ts';
import { devicesByTag } from './tags.ts';

export type { ProbingGateway } from './gateways/probing-gateways.ts';
export type { ManagedDevice } from './managed-devices.ts';
export { createFleet, type Fleet } from './service.ts';
export type { UnbindParticipant } from './unbind.ts';

export const fleetNetworks = {
  name: networkName,
  names: networkNames,
  nameColumn: networkNameOf,
  named: networksNamed,
  list: listNetworks,
  rows: networkRows,
  find: networkResults,
  matching: networksMatching,
  count: countNetworks,
  counts: networkCounts,
  states: networkStates,
};

export const fleetDevices = {
  find: findDevice,
  managed: managedDevices,
  ofNetwork: devicesOfNetwork,
  ofNetworks: devicesOfNetworks,
  ofModels: devicesOfModels,
  tagged: devicesByTag,
  drawn: drawnDevices,
  placed: placedDevices,
  seenIn: devicesSeenIn,
  toPlace: devicesToPlace,
  accessPoints,
  accessPointCounts,
  apStatuses,
  modelsInUse,
  names: deviceNames,
  nameColumn: deviceNameOf,
  firmware: firmwareOf,
  firmwareOfModels,
  versionCounts,
  agentVersion: versionOf,
  radios: radiosOf,
  onlineAmong,
  onlineItems,
  isAllOffline,
  unconfirmed: unconfirmedOf,
  configurationTroubles,
  showSync,
};

export const fleetGateways = {
  all: networkGateways,
  edge: edgeGateways,
  probing: probingGateways,
  agentHosts,
  ofNetwork: gatewayOf,
  serials: gatewaySerials,
  routersByStorage,
};

export const deviceGroups = { devices: devicesOfGroups, names: groupNames };

export const maintenance = { closedUntil, windows: maintenanceWindows, windowAt };

export const deviceOutages = {
  ofNetwork: networkOutages,
  absences,
  pastAbsences,
  nights: nightOutages,
  shortestNightS: shortestS,
  availability: networkAvailability,
  availabilityFor: availabilityOfNetworks,
  offlineNetworks,
  onlineAt,
  connectedDevices,
  membersOfNetworks,
  measuredBy,
  consoleGraceMs,
  recordPast: recordPastOutages,
  planned: plannedAbsences,
  explains,
};

export const deviceEvents = {
  periods: eventPeriods,
  paths: listPathEvents,
  pathsOf: pathEventsOf,
  lastPaths: lastPathEvents,
};
