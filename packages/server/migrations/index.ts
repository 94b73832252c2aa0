import * as core from './0001-core.ts';
import * as uplink from './0002-uplink.ts';
import * as fleet from './0003-fleet.ts';
import * as configuration from './0004-configuration.ts';
import * as jobWoken from './0005-job-woken.ts';
import * as deviceNetworks from './0006-device-networks.ts';
import * as configurationReach from './0007-configuration-reach.ts';
import * as identity from './0008-identity.ts';
import * as outbox from './0009-outbox.ts';
import * as presenceInlined from './0010-presence-inlined.ts';
import * as telemetry from './0011-telemetry.ts';
import * as rollups from './0012-rollups.ts';
import * as users from './0013-users.ts';
import * as statistics from './0014-statistics.ts';
import * as billing from './0015-billing.ts';
import * as undoAndInvitations from './0016-undo-and-invitations.ts';
import * as reads from './0018-reads.ts';
import * as homeLayout from './0019-home-layout.ts';
import * as timePresent from './0021-time-present.ts';
import * as edge from './0022-edge.ts';
import * as who from './0023-who.ts';
import * as houseUplink from './0024-house-uplink.ts';
import * as configurationGateway from './0025-configuration-gateway.ts';
import * as jobWaves from './0026-job-waves.ts';
import * as knownTerminals from './0027-known-terminals.ts';
import * as stationAbsolutes from './0028-station-absolutes.ts';
import * as trial from './0029-trial.ts';
import * as stationNames from './0030-station-names.ts';
import * as leftAddresses from './0031-left-addresses.ts';
import * as listening from './0032-listening.ts';
import * as configurationLayers from './0040-configuration-layers.ts';
import * as jobPlans from './0041-job-plans.ts';
import * as configurationSteps from './0042-configuration-steps.ts';
import * as templates from './0043-templates.ts';
import * as passwords from './0044-passwords.ts';
import * as fleetLists from './0045-fleet-lists.ts';
import * as tools from './0046-fleet-tools.ts';
import * as radioPlan from './0047-radio-plan.ts';
import * as radioBands from './0048-radio-bands.ts';
import * as backup from './0050-backup.ts';
import * as firmware from './0051-firmware.ts';
import * as links from './0055-links.ts';
import * as assets from './0056-assets.ts';
import * as places from './0057-map.ts';
import * as jobNotBefore from './0060-job-not-before.ts';
import * as rejection from './0061-rejection.ts';
import * as takenOff from './0062-taken-off.ts';
import * as mailedPasswords from './0063-mailed-passwords.ts';
import * as nobodyThere from './0064-nobody-there.ts';
import * as booted from './0065-booted.ts';

/** Every migration, in the order they run. A name, once released, never changes. */
export const migrations: readonly { name: string; up: string }[] = [
  core,
  uplink,
  fleet,
  configuration,
  jobWoken,
  deviceNetworks,
  configurationReach,
  identity,
  outbox,
  presenceInlined,
  telemetry,
  rollups,
  users,
  statistics,
  billing,
  undoAndInvitations,
  reads,
  homeLayout,
  timePresent,
  edge,
  who,
  houseUplink,
  configurationGateway,
  jobWaves,
  knownTerminals,
  trial,
  stationAbsolutes,
  stationNames,
  leftAddresses,
  listening,
  configurationLayers,
  jobPlans,
  configurationSteps,
  templates,
  passwords,
  fleetLists,
  tools,
  radioPlan,
  radioBands,
  backup,
  firmware,
  links,
  assets,
  places,
  jobNotBefore,
  rejection,
  takenOff,
  mailedPasswords,
  nobodyThere,
  booted,
];
