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
import * as speedTests from './0066-speed-tests.ts';
import * as configurationContact from './0070-configuration-contact.ts';
import * as refusedName from './0074-refused-name.ts';
import * as sharedCertificate from './0075-shared-certificate.ts';
import * as switchPorts from './0077-configuration-switch-ports.ts';
import * as usersListScope from './0080-users-list-scope.ts';
import * as blockHold from './0081-configuration-block-hold.ts';
import * as wirelessPast from './0082-configuration-wireless-past.ts';
import * as telemetryRevised from './0083-telemetry-revised.ts';
import * as telemetryBoundAt from './0084-telemetry-bound-at.ts';
import * as binding from './0085-binding.ts';
import * as joinRule from './0086-join-rule.ts';
import * as claimSource from './0087-claim-source.ts';
import * as safety from './0088-safety.ts';
import * as outages from './0090-fleet-outages.ts';
import * as fleetMacs from './0091-fleet-macs.ts';
import * as portUplink from './0093-configuration-port-uplink.ts';
import * as alarms from './0094-alarms.ts';
import * as search from './0097-search.ts';
import * as searchSources from './0098-search-sources.ts';
import * as jobNetwork from './0099-job-network.ts';
import * as alarmIndexes from './0100-alarm-indexes.ts';
import * as alarmNotices from './0101-alarms-notices.ts';
import * as alarmRuleHours from './0106-alarm-rule-hours.ts';
import * as outageClients from './0110-outage-clients.ts';
import * as portalTemplates from './0113-portal-templates.ts';
import * as portal from './0117-portal.ts';
import * as radius from './0124-radius.ts';
import * as identityRoles from './0129-identity-roles.ts';
import * as billingOrders from './0130-billing-orders.ts';
import * as invoices from './0131-invoices.ts';
import * as billingGoods from './0133-billing-goods.ts';
import * as portalEntitlements from './0134-portal-entitlements.ts';
import * as sms from './0135-sms.ts';
import * as withdrawals from './0136-withdrawals.ts';
import * as sdwan from './0139-sdwan.ts';
import * as peripherals from './0143-peripherals.ts';
import * as shield from './0144-shield.ts';
import * as shieldCounts from './0145-shield-counts.ts';
import * as flowClients from './0146-telemetry-flow-clients.ts';
import * as plugins from './0147-plugins.ts';
import * as sdwanPayments from './0149-sdwan-payments.ts';
import * as peripheralScan from './0151-peripherals-scan.ts';
import * as pathEvents from './0152-fleet-path-events.ts';
import * as portalEdge from './0155-portal-edge.ts';
import * as portalFigures from './0156-portal-figures.ts';
import * as portalSitePage from './0157-portal-templates-site-page.ts';
import * as telemetryBehind from './0158-telemetry-behind.ts';
import * as accountZoneFrom from './0159-account-zone-from.ts';
import * as alarmSources from './0161-backup-alarm-sources.ts';
import * as alarmsCalm from './0162-alarms-calm.ts';
import * as restartSchedule from './0163-fleet-restart-schedule.ts';
import * as subnetCollision from './0170-configuration-subnet-collision.ts';
import * as fleetConfirmed from './0171-fleet-confirmed.ts';
import * as alarmBrowsers from './0180-alarms-browsers.ts';
import * as reports from './0185-reports.ts';
import * as levelHistory from './0190-telemetry-level-history.ts';
import * as ruleScopes from './0191-alarms-rule-scopes.ts';
import * as networkPending from './0192-alarms-network-pending.ts';
import * as portalPresence from './0200-portal-presence.ts';
import * as portalIdentity from './0210-portal-identity.ts';
import * as voucherRights from './0211-identity-voucher-rights.ts';
import * as portalShop from './0212-portal-shop.ts';
import * as portalRetention from './0213-portal-retention.ts';
import * as portalMikrotik from './0214-portal-mikrotik.ts';
import * as portalRealName from './0215-portal-real-name.ts';
import * as portalSponsor from './0216-portal-sponsor.ts';
import * as clientIpv6 from './0230-client-ipv6.ts';
import * as namesIgnoreCase from './0231-names-ignore-case.ts';
import * as billingCurrency from './0240-billing-currency.ts';
import * as billingTotals from './0241-billing-totals.ts';
import * as billingTransfers from './0242-billing-transfers.ts';
import * as portalPurchases from './0243-portal-purchases.ts';
import * as billingCoupons from './0244-billing-coupons.ts';
import * as alarmsAccount from './0245-alarms-account.ts';
import * as billingBooks from './0246-billing-books.ts';
import * as portalLoginSessions from './0247-portal-login-sessions.ts';
import * as portalLogin from './0250-portal-login.ts';
import * as portalMemberRadius from './0251-portal-member-radius.ts';
import * as billingLines from './0252-billing-lines.ts';
import * as billingDecisions from './0253-billing-decisions.ts';
import * as billingCardRefunds from './0254-billing-card-refunds.ts';
import * as billingWithdrawalLines from './0255-billing-withdrawal-lines.ts';
import * as billingShares from './0256-billing-shares.ts';
import * as billingShareTerms from './0257-billing-share-terms.ts';
import * as objectVersions from './0260-object-versions.ts';
import * as sdwanVersion from './0261-sdwan-version.ts';
import * as alarmsBrowserEnd from './0262-alarms-browser-end.ts';
import * as identityGuessSlots from './0263-identity-guess-slots.ts';
import * as radiusProof from './0264-radius-proof.ts';
import * as portalSources from './0265-portal-sources.ts';
import * as portalSmsDevice from './0266-portal-sms-device.ts';
import * as bindingSerialTransfers from './0267-binding-serial-transfers.ts';
import * as billingTwoPersons from './0268-billing-two-persons.ts';
import * as uplinkUnboundSerials from './0272-uplink-unbound-serials.ts';
import * as shieldCountedSince from './0274-shield-counted-since.ts';
import * as undoAndAlarmRecipients from './0275-undo-and-alarm-recipients.ts';
import * as radiusSignatureChosen from './0276-radius-signature-chosen.ts';
import * as tenantTablePlainCalls from './0277-tenant-table-plain-calls.ts';
import * as fleetMaintenance from './0290-fleet-maintenance.ts';
import * as searchReadings from './0291-search-readings.ts';
import * as remote from './0292-remote.ts';
import * as peripheralsGroup from './0293-peripherals-group.ts';
import * as remoteCredential from './0294-remote-credential.ts';
import * as remoteRecording from './0295-remote-recording.ts';
import * as screenPort from './0296-screen-port.ts';
import * as remoteLink from './0297-remote-link.ts';
import * as peripheralsPower from './0299-peripherals-power.ts';
import * as portalAccessPoints from './0310-portal-access-points.ts';
import * as identityGuestRights from './0320-identity-guest-rights.ts';
import * as portalReception from './0321-portal-reception.ts';
import * as smsPhoneHash from './0322-sms-phone-hash.ts';
import * as portalSecrets from './0330-portal-secrets.ts';
import * as smsNoProvider from './0331-sms-no-provider.ts';
import * as portalCaptiveRange from './0335-portal-captive-range.ts';
import * as portalAccounting from './0340-portal-accounting.ts';
import * as portalMoves from './0345-portal-moves.ts';
import * as billingRefundStates from './0350-billing-refund-states.ts';
import * as portalPayPass from './0352-portal-pay-pass.ts';
import * as billingRecharged from './0356-billing-recharged.ts';
import * as billingClearing from './0357-billing-clearing.ts';
import * as billingDeferred from './0358-billing-deferred.ts';
import * as billingFapiao from './0359-billing-fapiao.ts';
import * as billingAccounting from './0360-billing-accounting.ts';
import * as billingCouponEdit from './0361-billing-coupon-edit.ts';
import * as billingVoucherNumbers from './0364-billing-voucher-numbers.ts';

/** In execution order. A released name never changes. */
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
  stationAbsolutes,
  trial,
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
  speedTests,
  configurationContact,
  refusedName,
  sharedCertificate,
  switchPorts,
  usersListScope,
  blockHold,
  wirelessPast,
  telemetryRevised,
  telemetryBoundAt,
  binding,
  joinRule,
  claimSource,
  safety,
  outages,
  fleetMacs,
  portUplink,
  alarms,
  search,
  searchSources,
  jobNetwork,
  alarmIndexes,
  alarmNotices,
  alarmRuleHours,
  outageClients,
  portalTemplates,
  portal,
  radius,
  identityRoles,
  billingOrders,
  invoices,
  billingGoods,
  portalEntitlements,
  sms,
  withdrawals,
  sdwan,
  peripherals,
  shield,
  shieldCounts,
  flowClients,
  plugins,
  sdwanPayments,
  peripheralScan,
  pathEvents,
  portalEdge,
  portalFigures,
  portalSitePage,
  telemetryBehind,
  accountZoneFrom,
  alarmSources,
  alarmsCalm,
  restartSchedule,
  subnetCollision,
  fleetConfirmed,
  alarmBrowsers,
  reports,
  levelHistory,
  ruleScopes,
  networkPending,
  portalPresence,
  portalIdentity,
  voucherRights,
  portalShop,
  portalRetention,
  portalMikrotik,
  portalRealName,
  portalSponsor,
  clientIpv6,
  namesIgnoreCase,
  billingCurrency,
  billingTotals,
  billingTransfers,
  portalPurchases,
  billingCoupons,
  alarmsAccount,
  billingBooks,
  portalLoginSessions,
  portalLogin,
  portalMemberRadius,
  billingLines,
  billingDecisions,
  billingCardRefunds,
  billingWithdrawalLines,
  billingShares,
  billingShareTerms,
  objectVersions,
  sdwanVersion,
  alarmsBrowserEnd,
  identityGuessSlots,
  radiusProof,
  portalSources,
  portalSmsDevice,
  bindingSerialTransfers,
  billingTwoPersons,
  uplinkUnboundSerials,
  shieldCountedSince,
  undoAndAlarmRecipients,
  radiusSignatureChosen,
  tenantTablePlainCalls,
  fleetMaintenance,
  searchReadings,
  remote,
  peripheralsGroup,
  remoteCredential,
  remoteRecording,
  screenPort,
  remoteLink,
  peripheralsPower,
  portalAccessPoints,
  identityGuestRights,
  portalReception,
  smsPhoneHash,
  portalSecrets,
  smsNoProvider,
  portalCaptiveRange,
  portalAccounting,
  portalMoves,
  billingRefundStates,
  portalPayPass,
  billingRecharged,
  billingClearing,
  billingDeferred,
  billingFapiao,
  billingAccounting,
  billingCouponEdit,
  billingVoucherNumbers,
];
