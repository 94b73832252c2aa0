export * as account from './account.ts';
export * as accountCoupons from './account-coupons.ts';
export * as accountRoles from './account-roles.ts';
export * as alarmBacktest from './alarm-backtest.ts';
export * as alarmBrowsers from './alarm-browsers.ts';
export type {
  AlarmSubscription,
  DeliveryState,
  EndpointType,
  MemberChannel,
  NoticeEvent,
} from './alarm-notices.ts';
export * as alarmNotices from './alarm-notices.ts';
export type { AlarmRuleHours } from './alarm-rules.ts';
export * as alarmRules from './alarm-rules.ts';
export * as alarmSilences from './alarm-silences.ts';
export type { AlarmEventType, AlarmKind, AlarmPreset, AlarmState } from './alarms.ts';
export * as alarms from './alarms.ts';
export * from './api.ts';
export type { AssetClass } from './assets.ts';
export * as assets from './assets.ts';
export * as backup from './backup.ts';
export * as billing from './billing.ts';
export * as billingBooks from './billing-books.ts';
export * as billingClearing from './billing-clearing.ts';
export * as billingCoupons from './billing-coupons.ts';
export type { DecisionKind } from './billing-decisions.ts';
export * as billingDecisions from './billing-decisions.ts';
export * as billingDeferred from './billing-deferred.ts';
export * as billingExports from './billing-exports.ts';
export type { FapiaoState } from './billing-fapiao.ts';
export * as billingFapiao from './billing-fapiao.ts';
export type { CardState, PackageTerms } from './billing-goods.ts';
export * as billingGoods from './billing-goods.ts';
export * as billingIncome from './billing-income.ts';
export * as billingOrders from './billing-orders.ts';
export * as billingRefunds from './billing-refunds.ts';
export * as billingShares from './billing-shares.ts';
export * as binding from './binding.ts';
export * from './codes.ts';
export * as configuration from './configuration.ts';
export * from './endpoint.ts';
export * from './enums.ts';
export * as firmware from './firmware.ts';
export * as fleet from './fleet.ts';
export * as fleetAir from './fleet-air.ts';
export * as fleetBatch from './fleet-batch.ts';
export * as fleetConfirm from './fleet-confirm.ts';
export * as fleetMaintenance from './fleet-maintenance.ts';
export type { OutageCause } from './fleet-outages.ts';
export * as fleetOutages from './fleet-outages.ts';
export type { NetworkRestartScope, RestartScope } from './fleet-restarts.ts';
export * as fleetRestarts from './fleet-restarts.ts';
export * as fleetTools from './fleet-tools.ts';
export * as fleetViews from './fleet-views.ts';
export type { FlowRanking, FlowSpan } from './flow.ts';
export * as flow from './flow.ts';
export * as gateway from './gateway.ts';
export * as groupSettings from './group-settings.ts';
export type { PlannedReason } from './home.ts';
export * as home from './home.ts';
export * as homeTop from './home-top.ts';
export * as identity from './identity.ts';
export type { Density, HomeLayout, HomeSection, Locale, PageSize, Theme } from './identity-shapes.ts';
export type { ImportAct } from './imports.ts';
export * as imports from './imports.ts';
export * as installation from './installation.ts';
export type { InvoiceState } from './invoices.ts';
export * as invoices from './invoices.ts';
export type { JobItemStatus, JobStatus } from './jobs.ts';
export * as jobs from './jobs.ts';
export * as layers from './layer-shapes.ts';
export { apiTokenPrefix, limits } from './limits.ts';
export * from './live.ts';
export * as logs from './logs.ts';
export * as map from './map.ts';
export * as messages from './messages.ts';
export type { TimelineHours, TimelineKind, TrafficSource } from './network-timeline.ts';
export * as networkTimeline from './network-timeline.ts';
export * as passwords from './passwords.ts';
export * as payments from './payments.ts';
export type { ImportColumn } from './peripheral-import.ts';
export * as peripheralImport from './peripheral-import.ts';
export type { PowerSkip, PowerState } from './peripheral-power.ts';
export * as peripheralPower from './peripheral-power.ts';
export type { ScanFailure, ScanState } from './peripheral-scan.ts';
export * as peripheralScan from './peripheral-scan.ts';
export type { PeripheralStatus, PeripheralType, UnprobedReason } from './peripherals.ts';
export * as peripherals from './peripherals.ts';
export * from './permissions.ts';
export * as personal from './personal.ts';
export * as personalSecurity from './personal-security.ts';
export type { PluginEvent, PluginState, PluginUnfit } from './plugins.ts';
export * as plugins from './plugins.ts';
export type { CaptiveLack, CaptiveReason, PortalGateway } from './portal.ts';
export * as portal from './portal.ts';
export type { PasswordPeriod } from './portal-methods/dynamic-password.ts';
export type { MethodShape } from './portal-methods/method.ts';
export * as portalPrivacy from './portal-privacy.ts';
export * as portalReception from './portal-reception.ts';
export * as portalSessions from './portal-sessions.ts';
export type {
  GuestLimits,
  LoginMethodKind,
  PortalContent,
  PortalMethod,
  PortalMethodKind,
  PortalPage,
  SettingsMethodKind,
} from './portal-shapes.ts';
export * as portalShapes from './portal-shapes.ts';
export * as portalShops from './portal-shops.ts';
export type { PictureSlot, PortalPicture, PortalStatus } from './portal-templates.ts';
export * as portalTemplates from './portal-templates.ts';
export * as radioPlan from './radio-plan.ts';
export type { RadiusGuestRefusal, RadiusOddity, RadiusRefusal } from './radius.ts';
export * as radius from './radius.ts';
export * as remote from './remote.ts';
export * as remoteCredential from './remote-credential.ts';
export * as remoteLinks from './remote-links.ts';
export * as remoteReplay from './remote-replay.ts';
export type { RemoteEndReason, RemoteKind, RemoteReason } from './remote-terminal.ts';
export type { ReportPeriod } from './reports.ts';
export * as reports from './reports.ts';
export * as sdwan from './sdwan.ts';
export * as sdwanGroups from './sdwan-groups.ts';
export type { SdwanPackage } from './sdwan-orders.ts';
export * as sdwanOrders from './sdwan-orders.ts';
export type {
  SdwanCandidateReason,
  SdwanError,
  SdwanErrorCode,
  SdwanMode,
  SdwanNodeInput,
  SdwanNodeStatus,
  SdwanRole,
  SdwanStatus,
} from './sdwan-shapes.ts';
export * as sdwanShapes from './sdwan-shapes.ts';
export type { SearchKind } from './search.ts';
export * as search from './search.ts';
export type { Seed } from './seed.ts';
export * as serialTransfers from './serial-transfers.ts';
export { type ExportFormat, exportFormats } from './shapes.ts';
export type { ShieldCheck, ShieldListError, ShieldMode, ShieldReason, ShieldState } from './shield.ts';
export * as shield from './shield.ts';
export * as sms from './sms.ts';
export type { AuthShare, AuthSource, DayGap, SourceState, UserGroup } from './statistics.ts';
export * as statistics from './statistics.ts';
export * as switches from './switches.ts';
export * as templatePush from './template-push.ts';
export * as templates from './templates.ts';
export type { ApartReason, TopologyKind, TopologySource } from './topology.ts';
export * as topology from './topology.ts';
export * as transfers from './transfers.ts';
export type { EndReason, StationBand, StationList, UserTab } from './users.ts';
export * as users from './users.ts';
export type { AirPart, RawNumber, ScorePart, WirelessBand, WirelessStep } from './wireless-monitor.ts';
export * as wirelessMonitor from './wireless-monitor.ts';
export type { WithdrawalState } from './withdrawals.ts';
export * as withdrawals from './withdrawals.ts';
export * from './zone-change.ts';
