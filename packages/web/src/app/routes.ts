import type { Permission } from '@yunxun/contract';
import type { ComponentType } from 'react';
import type { Part } from '../messages/parts.ts';
import type { IconName } from '../ui/icon.tsx';
import { loadTexts, type MessageKey } from './i18n.ts';

/** The five top sections, each with its own left menu. */
export const sections = ['home', 'config', 'plugin', 'messages', 'personal'] as const;
export type Section = (typeof sections)[number];

/** Loads a screen's chunk and the texts it needs beyond those of every page; the component's name is the export. */
export type Screen = () => Promise<ComponentType>;

/** One row of the table: everything the console knows about a path. */
export interface RouteRow {
  /** TanStack form: `$name` is a parameter, `{-$name}` an optional one. */
  path: string;
  title: MessageKey;
  /** The screen, or the sentence that says what it will hold while it is not built. */
  screen: Screen | { planned: MessageKey };
  section?: Section;
  /** Its entry in the section's left menu. */
  menu?: { icon: IconName; to: string };
  /** Path of the menu entry that stays highlighted on a screen without an entry of its own. */
  parent?: string;
  permission?: Permission;
  /** Shown only when the person has it; `oneself`: not while the account is seen as somebody else sees it. */
  needs?: 'sdwan_status' | 'installation_admin' | 'oneself';
}

const page =
  <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K, ...texts: readonly Part[]): Screen =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(...texts)]);
    return module[name];
  };
const planned = (sentence: MessageKey) => ({ planned: sentence });
const entry = (icon: IconName, to: string) => ({ icon, to });

/** Screens outside the layout; anybody may open them. */
// biome-ignore format: a table reads as a table, one row a line
export const publicRoutes: readonly RouteRow[] = [
  { path: '/login', title: 'title.login', screen: page(() => import('../features/identity/login.tsx'), 'LoginScreen') },
  { path: '/register', title: 'title.register', screen: page(() => import('../features/identity/register.tsx'), 'RegisterScreen') },
  { path: '/register_protocol', title: 'title.register_protocol', screen: page(() => import('../features/identity/protocol.tsx'), 'ProtocolScreen', 'outside') },
  { path: '/forgot_password', title: 'title.forgot_password', screen: page(() => import('../features/identity/forgot.tsx'), 'ForgotScreen', 'outside') },
  { path: '/password_reset/$token', title: 'title.password_reset', screen: page(() => import('../features/identity/password-reset.tsx'), 'PasswordResetScreen', 'outside') },
  { path: '/404', title: 'title.not_found', screen: page(() => import('./shell/not-found.tsx'), 'NotFoundScreen') },
];

/** Screens that need a sign-in and stand alone, without header and menus: what a person opens on a phone or from a letter. */
// biome-ignore format: a table reads as a table, one row a line
export const aloneRoutes: readonly RouteRow[] = [
  { path: '/qr/$code', title: 'qr_confirm.title', screen: page(() => import('../features/identity/qr-confirm.tsx'), 'QrConfirmScreen', 'outside') },
  { path: '/invitation/$token', title: 'title.invitation', screen: page(() => import('../features/account/invitation.tsx'), 'InvitationScreen', 'account') },
];

/** Screens inside the layout; a visitor without a token is sent to /login. Order is the order of the menus. */
// biome-ignore format: a table reads as a table, one row a line
export const layoutRoutes: readonly RouteRow[] = [
  // Network patrol
  { path: '/', title: 'home.index', section: 'home', menu: entry('gauge', '/'), permission: 'network.read', screen: page(() => import('../features/statistics/overview.tsx'), 'OverviewScreen', 'fleet', 'statistics') },
  { path: '/networks', title: 'home.networks', section: 'home', menu: entry('network', '/networks'), permission: 'network.read', screen: page(() => import('../features/fleet/networks.tsx'), 'NetworksScreen', 'fleet', 'wireless') },
  { path: '/network/$gwid', title: 'home.network', section: 'home', parent: '/networks', permission: 'network.read', screen: page(() => import('../features/fleet/network.tsx'), 'NetworkScreen', 'fleet', 'wireless') },
  { path: '/network/aps/{-$gwid}', title: 'home.network_aps', section: 'home', parent: '/networks', permission: 'network.read', screen: page(() => import('../features/fleet/access-points.tsx'), 'AccessPointsScreen', 'fleet', 'wireless') },
  { path: '/waiting_devices', title: 'home.waiting_devices', section: 'home', menu: entry('inbox', '/waiting_devices'), permission: 'network.read', screen: page(() => import('../features/fleet/waiting.tsx'), 'WaitingScreen', 'fleet', 'imports') },
  { path: '/network/gateway/$gwid', title: 'home.network_gateway', section: 'home', parent: '/networks', permission: 'config.read', screen: page(() => import('../features/configuration/gateway/screen.tsx'), 'GatewayScreen', 'gateway', 'fleet', 'wireless') },
  { path: '/asset/$gwid', title: 'home.asset', section: 'home', parent: '/networks', permission: 'network.read', screen: page(() => import('../features/assets/assets.tsx'), 'AssetsScreen', 'assets', 'wirelessMonitor') },
  { path: '/auth/$gwid/{-$remark}', title: 'home.auth_index', section: 'home', parent: '/networks', permission: 'network.read', screen: planned('planned.auth') },
  { path: '/auth_portal/$id/$tempid/{-$remark}', title: 'home.auth_portal', section: 'home', parent: '/networks', permission: 'network.read', screen: planned('planned.auth_portal') },
  { path: '/sms_pay_log/$gwid/{-$remark}', title: 'home.sms_pay_log', section: 'home', parent: '/networks', permission: 'network.read', screen: planned('planned.sms_pay_log') },
  { path: '/device/index/{-$gwid}', title: 'home.device_index', section: 'home', menu: entry('printer', '/device/index'), permission: 'network.read', screen: planned('planned.device_index') },
  { path: '/networks/online_users/{-$gwid}', title: 'home.online_users', section: 'home', menu: entry('users', '/networks/online_users'), permission: 'user.read', screen: page(() => import('../features/users/users.tsx'), 'UsersScreen', 'users', 'fleet') },
  { path: '/topology/{-$gwid}', title: 'home.topology', section: 'home', menu: entry('share', '/topology'), permission: 'network.read', screen: page(() => import('../features/topology/topology.tsx'), 'TopologyScreen', 'topology', 'wirelessMonitor') },
  { path: '/map', title: 'home.map', section: 'home', menu: entry('map', '/map'), permission: 'network.read', screen: page(() => import('../features/map/map.tsx'), 'MapScreen', 'map') },
  { path: '/flow_monitor/{-$gwid}', title: 'home.flow_monitor', section: 'home', menu: entry('activity', '/flow_monitor'), permission: 'statistics.read', screen: planned('planned.flow_monitor') },
  { path: '/wireless_monitor/{-$gwid}', title: 'home.wireless_monitor', section: 'home', menu: entry('wifi', '/wireless_monitor'), permission: 'statistics.read', screen: page(() => import('../features/wireless-monitor/wireless-monitor.tsx'), 'WirelessMonitorScreen', 'wirelessMonitor') },
  { path: '/audit/{-$gwid}', title: 'home.audit', section: 'home', menu: entry('eye', '/audit'), permission: 'log.read', screen: planned('planned.audit') },
  { path: '/sdwan/index', title: 'home.sdwan', section: 'home', menu: entry('link', '/sdwan/index'), permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_index') },
  { path: '/sdwan/package', title: 'home.sdwan_package', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_package') },
  { path: '/sdwan/create', title: 'home.sdwan_create', section: 'home', parent: '/sdwan/index', permission: 'network.write', needs: 'sdwan_status', screen: planned('planned.sdwan_create') },
  { path: '/sdwan/order', title: 'home.sdwan_order', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_order') },
  { path: '/sdwan/manage', title: 'home.sdwan_manage', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_manage') },
  { path: '/sdwan/show', title: 'home.sdwan_show', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_show') },
  { path: '/sdwan/group', title: 'home.sdwan_group', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_group') },
  { path: '/sdwan/link_strategy', title: 'home.sdwan_link_strategy', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: planned('planned.sdwan_link_strategy') },

  // Configuration
  { path: '/config/template_manage', title: 'config.template_manage', section: 'config', menu: entry('layout', '/config/template_manage'), permission: 'config.read', screen: planned('planned.template_manage') },
  { path: '/config/template_edit/$id', title: 'config.template_edit', section: 'config', parent: '/config/template_manage', permission: 'config.write', screen: planned('planned.template_edit') },
  { path: '/config/template_add/$id', title: 'config.template_add', section: 'config', parent: '/config/template_manage', permission: 'config.write', screen: planned('planned.template_add') },
  { path: '/config/auth_portal/$id/$tempid', title: 'config.auth_portal', section: 'config', parent: '/config/template_manage', permission: 'config.write', screen: planned('planned.auth_portal') },
  { path: '/config/template_wireless/ac', title: 'config.wireless_ac', section: 'config', menu: entry('layers', '/config/template_wireless/ac'), permission: 'config.read', screen: page(() => import('../features/templates/templates.tsx'), 'AcTemplatesScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/wireless', title: 'config.wireless', section: 'config', menu: entry('wifi', '/config/template_wireless/wireless'), permission: 'config.read', screen: page(() => import('../features/templates/templates.tsx'), 'WirelessTemplatesScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/ac_create', title: 'config.wireless_ac_create', section: 'config', parent: '/config/template_wireless/ac', permission: 'config.write', screen: page(() => import('../features/templates/template.tsx'), 'CreateAcScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/ac_edit/$id', title: 'config.wireless_ac_edit', section: 'config', parent: '/config/template_wireless/ac', permission: 'config.read', screen: page(() => import('../features/templates/template.tsx'), 'TemplateScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/wireless_create', title: 'config.wireless_create', section: 'config', parent: '/config/template_wireless/wireless', permission: 'config.write', screen: page(() => import('../features/templates/template.tsx'), 'CreateWirelessScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/wireless_edit/$id', title: 'config.wireless_edit', section: 'config', parent: '/config/template_wireless/wireless', permission: 'config.read', screen: page(() => import('../features/templates/template.tsx'), 'TemplateScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/ac_dynamic_password', title: 'config.ac_dynamic_password', section: 'config', menu: entry('key', '/config/ac_dynamic_password'), permission: 'config.read', screen: page(() => import('../features/passwords/passwords.tsx'), 'PasswordsScreen', 'passwords', 'backup') },
  { path: '/config/router_cloud_backup', title: 'config.router_cloud_backup', section: 'config', menu: entry('archive', '/config/router_cloud_backup'), permission: 'config.read', screen: page(() => import('../features/backup/screen.tsx'), 'BackupScreen', 'backup', 'fleet', 'wireless', 'inbox', 'gateway') },
  { path: '/cloud_security/index', title: 'config.cloud_security', section: 'config', menu: entry('shield', '/cloud_security/index'), permission: 'config.read', screen: planned('planned.cloud_security') },

  // Plugins
  { path: '/index', title: 'plugin.index', section: 'plugin', menu: entry('puzzle', '/index'), screen: planned('planned.plugin_index') },
  { path: '/plugin_apps/$id', title: 'plugin.apps', section: 'plugin', parent: '/index', screen: planned('planned.plugin_apps') },

  // Messages
  { path: '/logs/action', title: 'messages.log_action', section: 'messages', menu: entry('list', '/logs/action'), permission: 'log.read', screen: page(() => import('../features/logs/action-log.tsx'), 'ActionLogScreen', 'inbox', 'actions', 'fleet', 'fleetTools', 'gateway', 'account', 'personal', 'installation') },
  { path: '/jobs', title: 'messages.jobs', section: 'messages', menu: entry('tasks', '/jobs'), permission: 'job.read', screen: page(() => import('../features/jobs/jobs.tsx'), 'JobsScreen') },
  { path: '/messages', title: 'messages.index', section: 'messages', menu: entry('mail', '/messages'), permission: 'message.read', screen: page(() => import('../features/messages/messages.tsx'), 'MessagesScreen', 'inbox') },
  { path: '/message/$msg_id', title: 'messages.detail', section: 'messages', parent: '/messages', permission: 'message.read', screen: page(() => import('../features/messages/message.tsx'), 'MessageScreen', 'inbox') },
  { path: '/alarm', title: 'messages.alarm', section: 'messages', menu: entry('bell', '/alarm'), permission: 'message.read', screen: planned('planned.alarm') },
  { path: '/alarm_subscribe', title: 'messages.alarm_subscribe', section: 'messages', menu: entry('sliders', '/alarm_subscribe'), permission: 'message.read', screen: planned('planned.alarm_subscribe') },
  { path: '/logs/auth', title: 'messages.log_auth', section: 'messages', menu: entry('login', '/logs/auth'), permission: 'log.read', screen: page(() => import('../features/logs/auth-log.tsx'), 'AuthLogScreen', 'inbox') },
  { path: '/logs/upgrade', title: 'messages.log_upgrade', section: 'messages', menu: entry('refresh', '/logs/upgrade'), permission: 'network.read', screen: page(() => import('../features/firmware/screen.tsx'), 'FirmwareScreen', 'firmware', 'fleet') },

  // Personal centre
  { path: '/profile', title: 'personal.profile', section: 'personal', menu: entry('user', '/profile'), needs: 'oneself', screen: page(() => import('../features/personal/profile.tsx'), 'ProfileScreen', 'personal') },
  { path: '/security', title: 'personal.security', section: 'personal', menu: entry('lock', '/security'), needs: 'oneself', screen: page(() => import('../features/personal/security.tsx'), 'SecurityScreen', 'personal', 'inbox') },
  { path: '/account', title: 'personal.account', section: 'personal', menu: entry('users', '/account'), permission: 'account.read', screen: page(() => import('../features/account/account.tsx'), 'AccountScreen', 'account') },
  { path: '/personalization', title: 'personal.personalization', section: 'personal', menu: entry('sliders', '/personalization'), needs: 'oneself', screen: page(() => import('../features/personal/personalization.tsx'), 'PersonalizationScreen', 'personal') },
  { path: '/billing/packages', title: 'personal.billing_packages', section: 'personal', menu: entry('box', '/billing/packages'), screen: planned('planned.billing_packages') },
  { path: '/billing/cards', title: 'personal.billing_cards', section: 'personal', menu: entry('card', '/billing/cards'), screen: planned('planned.billing_cards') },
  { path: '/billing/transactions', title: 'personal.billing_transactions', section: 'personal', menu: entry('list', '/billing/transactions'), screen: planned('planned.billing_transactions') },
  { path: '/billing/invoices', title: 'personal.billing_invoices', section: 'personal', menu: entry('file', '/billing/invoices'), screen: planned('planned.billing_invoices') },
  { path: '/billing/balance', title: 'personal.billing_balance', section: 'personal', menu: entry('wallet', '/billing/balance'), permission: 'billing.read', screen: page(() => import('../features/billing/balance.tsx'), 'BalanceScreen', 'billing') },
  { path: '/install', title: 'personal.install', section: 'personal', menu: entry('server', '/install'), needs: 'installation_admin', screen: page(() => import('../features/installation/install.tsx'), 'InstallScreen', 'installation') },
  { path: '/forbidden', title: 'title.forbidden', screen: page(() => import('./shell/forbidden.tsx'), 'ForbiddenScreen') },
];

type PlannedRow = RouteRow & { screen: { planned: MessageKey } };

/** Whether a row's screen is still to be built. */
export function isPlanned(row: RouteRow): row is PlannedRow {
  return typeof row.screen !== 'function';
}

/** The forms of the addresses whose screens are still to be built; a parameter may be left out where its row says so. */
const plannedForms = layoutRoutes
  .filter(isPlanned)
  .map(({ path }) => new RegExp(`^${path.replace(/\/\{-\$\w+\}/g, '(/[^/]+)?').replace(/\$\w+/g, '[^/]+')}$`));

/** Whether an address of the table, parameters filled in, leads to a screen that is still to be built. */
export function leadsToPlanned(to: string): boolean {
  return plannedForms.some((form) => form.test(to));
}
