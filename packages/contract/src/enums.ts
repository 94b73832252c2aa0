/** `restarting`: commanded by the console. */
export const deviceStatuses = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;
export type DeviceStatus = (typeof deviceStatuses)[number];

export const deviceKinds = ['ap', 'switch', 'gateway'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** `failed`: the last good one runs; `drifted`: a foreign one. */
export const syncStates = ['in_sync', 'pending', 'applying', 'failed', 'drifted'] as const;
export type SyncState = (typeof syncStates)[number];

export const gatewayReasons = ['no_gateway', 'not_agent', 'no_report'] as const;
export type GatewayReason = (typeof gatewayReasons)[number];

/** Coordinates of a base map. GCJ-02 is what Chinese providers use. */
export const mapDatums = ['wgs84', 'gcj02'] as const;
export type MapDatum = (typeof mapDatums)[number];

/** Deleted by unbinding a router. */
export const unbindParts = [
  'backup',
  'alarm',
  'hosting',
  'open_platform',
  'value_added',
  'configuration',
  'certificate',
] as const;
export type UnbindPart = (typeof unbindParts)[number];

/** Confirmed automatically; `account`: as the account says. */
export const joinRules = ['account', 'click', 'site', 'code'] as const;
export type JoinRule = (typeof joinRules)[number];

export const loggedKinds = [
  'network',
  'device',
  'selection',
  'group',
  'template',
  'plan',
  'backup',
  'firmware',
  'password',
  'station',
  'asset',
  'view',
  'job',
  'account',
  'person',
  'member',
  'invitation',
  'grant',
  'session',
  'token',
  'passkey',
  'installation',
  'binding_code',
  'alarm',
  'alarm_rule',
  'alarm_subscription',
  'alarm_browser',
  'radius_nas',
  'role',
  'peripheral',
  'portal',
  'portal_guest',
  'portal_member',
  'voucher_batch',
  'order',
  'portal_template',
  'portal_picture',
  'package',
  'card_batch',
  'card',
  'coupon',
  'account_coupon',
  'withdrawal',
  'invoice',
  'invoice_title',
  'fapiao',
  'sdwan_network',
  'sdwan_group',
  'sdwan_strategy',
  'sdwan_order',
  'sdwan_package',
  'shield_allow',
  'shield_list',
  'plugin',
  'report',
] as const;
export type LoggedKind = (typeof loggedKinds)[number];

/** Worst first. */
export const alarmLevels = ['FATAL', 'MIDDLE', 'GENERAL'] as const;
export type AlarmLevel = (typeof alarmLevels)[number];

/** Categories of blocked domains; `own`: the account's own list. */
export const shieldCategories = ['malware', 'phishing', 'mining', 'ads', 'adult', 'own'] as const;
export type ShieldCategory = (typeof shieldCategories)[number];

/** Fixed words (docs/adr/0039). */
export const applicationCategories = [
  'HTTP',
  'Download',
  'IM',
  'Video',
  'Game',
  'Common',
  'Others',
  'Test',
  'Transport',
  'Unknown',
] as const;
export type ApplicationCategory = (typeof applicationCategories)[number];

/** Other known types are `other`. */
export const terminalTypes = ['android', 'ios', 'mac', 'windows'] as const;
export type TerminalType = (typeof terminalTypes)[number];

/** Minutes, then hours; a bound belongs to the longer bucket. */
export const usageTimeBuckets = ['<30', '>30', '1~2', '2~4', '>4'] as const;
export type UsageTimeBucket = (typeof usageTimeBuckets)[number];

/** Local hours; a bound belongs to the later part. */
export const dayParts = ['0~6', '6~11', '11~14', '14~19', '19~00'] as const;
export type DayPart = (typeof dayParts)[number];

export const daySlots = ['0~4', '4~8', '8~12', '12~16', '16~20', '20~24'] as const;
export type DaySlot = (typeof daySlots)[number];

/** Access points do not report methods. */
export const authTypes = ['portal'] as const;
export type AuthType = (typeof authTypes)[number];
