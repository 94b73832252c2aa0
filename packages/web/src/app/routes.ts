import type { Permission } from '@yunxun/contract';
import type { ComponentType } from 'react';
import type { Part } from '../messages/parts.ts';
import type { IconName } from '../ui/icon.tsx';
import { loadTexts, type MessageKey } from './i18n.ts';

export const sections = ['home', 'config', 'plugin', 'messages', 'personal'] as const;
export type Section = (typeof sections)[number];

export type Screen = () => Promise<ComponentType>;

export interface RouteRow {
  /** TanStack form: `$name` is a parameter, `{-$name}` an optional one. */
  path: string;
  title: MessageKey;
  /** The screen, or the description of a planned one. */
  screen: Screen | { planned: MessageKey };
  section?: Section;
  menu?: { icon: IconName; to: string };
  /** Path of the menu entry to highlight, for a screen without its own. */
  parent?: string;
  permission?: Permission;
  /** Condition besides permissions; `oneself`: not in a preview. */
  needs?: 'sdwan_status' | 'installation_admin' | 'oneself';
  /** Refuses members and delegates limited to some networks. */
  wholeAccount?: true;
  /** Fits phones; other screens keep the desktop's minimum width. */
  phone?: true;
}

const page =
  <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K, ...texts: readonly Part[]): Screen =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(...texts)]);
    return module[name];
  };
const planned = (sentence: MessageKey) => ({ planned: sentence });
const entry = (icon: IconName, to: string) => ({ icon, to });

/** Screens outside the layout, without sign-in. */
// biome-ignore format: a table reads as a table, one row a line
export const publicRoutes: readonly RouteRow[] = [
  { path: '/login', title: 'title.login', screen: page(() => import('../features/identity/login.tsx'), 'LoginScreen') },
  { path: '/register', title: 'title.register', screen: page(() => import('../features/identity/register.tsx'), 'RegisterScreen') },
  { path: '/register_protocol', title: 'title.register_protocol', screen: page(() => import('../features/identity/protocol.tsx'), 'ProtocolScreen', 'outside') },
  { path: '/forgot_password', title: 'title.forgot_password', screen: page(() => import('../features/identity/forgot.tsx'), 'ForgotScreen', 'outside') },
  { path: '/password_reset/$token', title: 'title.password_reset', screen: page(() => import('../features/identity/password-reset.tsx'), 'PasswordResetScreen', 'outside') },
  { path: '/remote/link/$secret', title: 'title.remote_link', screen: page(() => import('../features/remote/guest-screen.tsx'), 'GuestScreen', 'remote') },
  { path: '/404', title: 'title.not_found', screen: page(() => import('./shell/not-found.tsx'), 'NotFoundScreen') },
];

/** Screens with sign-in but without header and menus, opened on a phone or from a message. */
// biome-ignore format: a table reads as a table, one row a line
export const aloneRoutes: readonly RouteRow[] = [
  { path: '/qr/$code', title: 'qr_confirm.title', screen: page(() => import('../features/identity/qr-confirm.tsx'), 'QrConfirmScreen', 'outside') },
  { path: '/invitation/$token', title: 'title.invitation', screen: page(() => import('../features/account/invitation.tsx'), 'InvitationScreen', 'account') },
  { path: '/remote/terminal/$id', title: 'title.terminal', permission: 'remote.use', screen: page(() => import('../features/remote/terminal-screen.tsx'), 'TerminalScreen', 'remote') },
  { path: '/remote/web/$id', title: 'title.remote_web', permission: 'remote.use', screen: page(() => import('../features/remote/web-screen.tsx'), 'WebScreen', 'remote') },
  { path: '/remote/screen/$id', title: 'title.screen', permission: 'remote.use', screen: page(() => import('../features/remote/screen-screen.tsx'), 'ScreenScreen', 'remote') },
  { path: '/remote/replay/$id', title: 'title.replay', permission: 'remote.replay', screen: page(() => import('../features/remote/replay-screen.tsx'), 'ReplayScreen', 'remote') },
];

// biome-ignore format: a table reads as a table, one row a line
export const layoutRoutes: readonly RouteRow[] = [
  { path: '/', title: 'home.index', section: 'home', menu: entry('gauge', '/'), permission: 'network.read', phone: true, screen: page(() => import('../features/statistics/overview.tsx'), 'OverviewScreen', 'fleet', 'statistics') },
  { path: '/networks', title: 'home.networks', section: 'home', menu: entry('network', '/networks'), permission: 'network.read', phone: true, screen: page(() => import('../features/fleet/networks/networks.tsx'), 'NetworksScreen', 'fleet', 'wireless') },
  { path: '/network/$gwid', title: 'home.network', section: 'home', parent: '/networks', permission: 'network.read', phone: true, screen: page(() => import('../features/fleet/networks/network.tsx'), 'NetworkScreen', 'fleet', 'wireless') },
  { path: '/network/aps/{-$gwid}', title: 'home.network_aps', section: 'home', parent: '/networks', permission: 'network.read', phone: true, screen: page(() => import('../features/fleet/devices/access-points.tsx'), 'AccessPointsScreen', 'fleet', 'wireless') },
  { path: '/waiting_devices', title: 'home.waiting_devices', section: 'home', menu: entry('inbox', '/waiting_devices'), permission: 'network.read', screen: page(() => import('../features/fleet/waiting/waiting.tsx'), 'WaitingScreen', 'fleet', 'imports') },
  { path: '/network/gateway/$gwid', title: 'home.network_gateway', section: 'home', parent: '/networks', permission: 'config.read', screen: page(() => import('../features/configuration/gateway/screen.tsx'), 'GatewayScreen', 'gateway', 'fleet', 'wireless') },
  { path: '/asset/$gwid', title: 'home.asset', section: 'home', parent: '/networks', permission: 'network.read', screen: page(() => import('../features/assets/assets.tsx'), 'AssetsScreen', 'assets', 'wirelessMonitor') },
  { path: '/auth/$gwid/{-$remark}', title: 'home.auth_index', section: 'home', parent: '/networks', permission: 'network.read', screen: page(() => import('../features/portal/portal.tsx'), 'PortalScreen', 'portal', 'portalCheck', 'portalTemplates', 'imports', 'reception') },
  { path: '/reception', title: 'home.reception', section: 'home', menu: entry('users', '/reception'), permission: 'guest.reception', phone: true, screen: page(() => import('../features/portal/reception-screen.tsx'), 'ReceptionScreen', 'portal', 'reception') },
  { path: '/vouchers', title: 'home.vouchers', section: 'home', menu: entry('card', '/vouchers'), permission: 'voucher.write', phone: true, screen: page(() => import('../features/portal/vouchers-screen.tsx'), 'VouchersScreen', 'portal') },
  { path: '/auth_portal/$id/$tempid/{-$remark}', title: 'home.auth_portal', section: 'home', parent: '/networks', permission: 'config.write', wholeAccount: true, screen: page(() => import('../features/portal-templates/site-page-editor.tsx'), 'SitePageScreen', 'portalTemplates', 'templates', 'wireless', 'fleet') },
  { path: '/sms_pay_log/$gwid/{-$remark}', title: 'home.sms_pay_log', section: 'home', parent: '/networks', permission: 'billing.read', wholeAccount: true, phone: true, screen: page(() => import('../features/sms/sms.tsx'), 'SmsScreen', 'sms', 'billing') },
  { path: '/device/index/{-$gwid}', title: 'home.device_index', section: 'home', menu: entry('printer', '/device/index'), permission: 'network.read', phone: true, screen: page(() => import('../features/peripherals/peripherals.tsx'), 'PeripheralsScreen', 'peripherals') },
  { path: '/remote', title: 'home.remote', section: 'home', menu: entry('monitor', '/remote'), permission: 'remote.use', phone: true, screen: page(() => import('../features/remote/remote.tsx'), 'RemoteScreen', 'remote') },
  { path: '/networks/online_users/{-$gwid}', title: 'home.online_users', section: 'home', menu: entry('users', '/networks/online_users'), permission: 'user.read', phone: true, screen: page(() => import('../features/users/users.tsx'), 'UsersScreen', 'users', 'fleet') },
  { path: '/topology/{-$gwid}', title: 'home.topology', section: 'home', menu: entry('share', '/topology'), permission: 'network.read', phone: true, screen: page(() => import('../features/topology/topology.tsx'), 'TopologyScreen', 'topology', 'wirelessMonitor') },
  { path: '/map', title: 'home.map', section: 'home', menu: entry('map', '/map'), permission: 'network.read', screen: page(() => import('../features/map/map.tsx'), 'MapScreen', 'map') },
  { path: '/flow_monitor/{-$gwid}', title: 'home.flow_monitor', section: 'home', menu: entry('activity', '/flow_monitor'), permission: 'statistics.read', screen: page(() => import('../features/flow/flow-monitor.tsx'), 'FlowMonitorScreen', 'flow', 'statistics', 'wirelessMonitor') },
  { path: '/wireless_monitor/{-$gwid}', title: 'home.wireless_monitor', section: 'home', menu: entry('wifi', '/wireless_monitor'), permission: 'statistics.read', screen: page(() => import('../features/wireless-monitor/wireless-monitor.tsx'), 'WirelessMonitorScreen', 'wirelessMonitor') },
  { path: '/audit/{-$gwid}', title: 'home.audit', section: 'home', menu: entry('eye', '/audit'), permission: 'log.read', screen: planned('planned.audit') },
  { path: '/sdwan/index', title: 'home.sdwan', section: 'home', menu: entry('link', '/sdwan/index'), permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/index.tsx'), 'SdwanIndexScreen', 'sdwan') },
  { path: '/sdwan/package', title: 'home.sdwan_package', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/package.tsx'), 'SdwanPackageScreen', 'sdwan') },
  { path: '/sdwan/create', title: 'home.sdwan_create', section: 'home', parent: '/sdwan/index', permission: 'network.write', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/create.tsx'), 'SdwanCreateScreen', 'sdwan') },
  { path: '/sdwan/order', title: 'home.sdwan_order', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/order.tsx'), 'SdwanOrderScreen', 'sdwan', 'billing') },
  { path: '/sdwan/manage', title: 'home.sdwan_manage', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/manage.tsx'), 'SdwanManageScreen', 'sdwan', 'wireless') },
  { path: '/sdwan/show', title: 'home.sdwan_show', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/show.tsx'), 'SdwanShowScreen', 'sdwan', 'fleet') },
  { path: '/sdwan/group', title: 'home.sdwan_group', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/group.tsx'), 'SdwanGroupScreen', 'sdwan') },
  { path: '/sdwan/link_strategy', title: 'home.sdwan_link_strategy', section: 'home', parent: '/sdwan/index', permission: 'network.read', needs: 'sdwan_status', screen: page(() => import('../features/sdwan/link-strategy.tsx'), 'SdwanLinkStrategyScreen', 'sdwan') },

  { path: '/config/template_manage', title: 'config.template_manage', section: 'config', menu: entry('layout', '/config/template_manage'), permission: 'config.read', wholeAccount: true, screen: page(() => import('../features/portal-templates/template-list.tsx'), 'PortalTemplatesScreen', 'portalTemplates', 'templates', 'wireless') },
  { path: '/config/template_edit/$id', title: 'config.template_edit', section: 'config', parent: '/config/template_manage', permission: 'config.write', wholeAccount: true, screen: page(() => import('../features/portal-templates/template-screen.tsx'), 'EditTemplateScreen', 'portalTemplates', 'templates', 'wireless', 'fleet', 'alarms') },
  { path: '/config/template_add/$id', title: 'config.template_add', section: 'config', parent: '/config/template_manage', permission: 'config.write', wholeAccount: true, screen: page(() => import('../features/portal-templates/template-screen.tsx'), 'AddTemplateScreen', 'portalTemplates', 'templates', 'wireless', 'fleet', 'alarms') },
  { path: '/config/auth_portal/$id/$tempid', title: 'config.auth_portal', section: 'config', parent: '/config/template_manage', permission: 'config.write', wholeAccount: true, screen: page(() => import('../features/portal-templates/page-editor.tsx'), 'PageEditorScreen', 'portalTemplates', 'templates', 'wireless', 'fleet') },
  { path: '/config/template_wireless/ac', title: 'config.wireless_ac', section: 'config', menu: entry('layers', '/config/template_wireless/ac'), permission: 'config.read', wholeAccount: true, screen: page(() => import('../features/templates/templates.tsx'), 'AcTemplatesScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/wireless', title: 'config.wireless', section: 'config', menu: entry('wifi', '/config/template_wireless/wireless'), permission: 'config.read', wholeAccount: true, screen: page(() => import('../features/templates/templates.tsx'), 'WirelessTemplatesScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/ac_create', title: 'config.wireless_ac_create', section: 'config', parent: '/config/template_wireless/ac', permission: 'config.write', wholeAccount: true, screen: page(() => import('../features/templates/template.tsx'), 'CreateAcScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/ac_edit/$id', title: 'config.wireless_ac_edit', section: 'config', parent: '/config/template_wireless/ac', permission: 'config.read', wholeAccount: true, screen: page(() => import('../features/templates/template.tsx'), 'TemplateScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/wireless_create', title: 'config.wireless_create', section: 'config', parent: '/config/template_wireless/wireless', permission: 'config.write', wholeAccount: true, screen: page(() => import('../features/templates/template.tsx'), 'CreateWirelessScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/template_wireless/wireless_edit/$id', title: 'config.wireless_edit', section: 'config', parent: '/config/template_wireless/wireless', permission: 'config.read', wholeAccount: true, screen: page(() => import('../features/templates/template.tsx'), 'TemplateScreen', 'templates', 'fleet', 'wireless', 'jobDrawer') },
  { path: '/config/ac_dynamic_password', title: 'config.ac_dynamic_password', section: 'config', menu: entry('key', '/config/ac_dynamic_password'), permission: 'config.read', wholeAccount: true, screen: page(() => import('../features/passwords/passwords.tsx'), 'PasswordsScreen', 'passwords', 'backup') },
  { path: '/config/radius', title: 'config.radius', section: 'config', menu: entry('key', '/config/radius'), permission: 'config.read', screen: page(() => import('../features/radius/radius-clients.tsx'), 'RadiusClients', 'radius') },
  { path: '/config/router_cloud_backup', title: 'config.router_cloud_backup', section: 'config', menu: entry('archive', '/config/router_cloud_backup'), permission: 'config.read', screen: page(() => import('../features/backup/screen.tsx'), 'BackupScreen', 'backup', 'fleet', 'wireless', 'inbox', 'gateway') },
  { path: '/cloud_security/index', title: 'config.cloud_security', section: 'config', menu: entry('shield', '/cloud_security/index'), permission: 'config.read', screen: page(() => import('../features/shield/shield-screen.tsx'), 'ShieldScreen', 'shield') },

  { path: '/index', title: 'plugin.index', section: 'plugin', menu: entry('puzzle', '/index'), permission: 'network.read', screen: page(() => import('../features/plugins/market.tsx'), 'PluginMarketScreen', 'plugins') },
  { path: '/plugin_apps/$id', title: 'plugin.apps', section: 'plugin', parent: '/index', permission: 'network.read', screen: page(() => import('../features/plugins/detail.tsx'), 'PluginScreen', 'plugins') },

  { path: '/logs/action', title: 'messages.log_action', section: 'messages', menu: entry('list', '/logs/action'), permission: 'log.read', screen: page(() => import('../features/logs/action-log.tsx'), 'ActionLogScreen', 'inbox', 'actions', 'fleet', 'fleetTools', 'gateway', 'account', 'personal', 'installation') },
  { path: '/jobs', title: 'messages.jobs', section: 'messages', menu: entry('tasks', '/jobs'), permission: 'job.read', screen: page(() => import('../features/jobs/jobs.tsx'), 'JobsScreen') },
  { path: '/messages', title: 'messages.index', section: 'messages', menu: entry('mail', '/messages'), permission: 'message.read', phone: true, screen: page(() => import('../features/messages/messages.tsx'), 'MessagesScreen', 'inbox') },
  { path: '/message/$msg_id', title: 'messages.detail', section: 'messages', parent: '/messages', permission: 'message.read', phone: true, screen: page(() => import('../features/messages/message.tsx'), 'MessageScreen', 'inbox') },
  { path: '/alarm', title: 'messages.alarm', section: 'messages', menu: entry('bell', '/alarm'), permission: 'message.read', phone: true, screen: page(() => import('../features/alarms/alarms.tsx'), 'AlarmsScreen', 'alarms', 'alarmNotices', 'siteSilence', 'inbox') },
  { path: '/alarm_subscribe', title: 'messages.alarm_subscribe', section: 'messages', menu: entry('sliders', '/alarm_subscribe'), permission: 'message.read', phone: true, screen: page(() => import('../features/reports/subscriptions-screen.tsx'), 'SubscriptionsScreen', 'alarms', 'alarmNotices', 'alarmBrowsers', 'reports') },
  { path: '/logs/auth', title: 'messages.log_auth', section: 'messages', menu: entry('login', '/logs/auth'), permission: 'log.read', screen: page(() => import('../features/logs/auth-log.tsx'), 'AuthLogScreen', 'inbox') },
  { path: '/logs/upgrade', title: 'messages.log_upgrade', section: 'messages', menu: entry('refresh', '/logs/upgrade'), permission: 'network.read', screen: page(() => import('../features/firmware/screen.tsx'), 'FirmwareScreen', 'firmware', 'fleet') },

  { path: '/profile', title: 'personal.profile', section: 'personal', menu: entry('user', '/profile'), needs: 'oneself', phone: true, screen: page(() => import('../features/personal/profile.tsx'), 'ProfileScreen', 'personal') },
  { path: '/security', title: 'personal.security', section: 'personal', menu: entry('lock', '/security'), needs: 'oneself', screen: page(() => import('../features/personal/security.tsx'), 'SecurityScreen', 'personal', 'inbox') },
  { path: '/account', title: 'personal.account', section: 'personal', menu: entry('users', '/account'), permission: 'account.read', phone: true, screen: page(() => import('../features/account/account.tsx'), 'AccountScreen', 'account') },
  { path: '/personalization', title: 'personal.personalization', section: 'personal', menu: entry('sliders', '/personalization'), needs: 'oneself', screen: page(() => import('../features/personal/personalization.tsx'), 'PersonalizationScreen', 'personal') },
  { path: '/billing/packages', title: 'personal.billing_packages', section: 'personal', menu: entry('box', '/billing/packages'), permission: 'billing.read', wholeAccount: true, phone: true, screen: page(() => import('../features/billing/packages.tsx'), 'PackagesScreen', 'goods') },
  { path: '/billing/cards', title: 'personal.billing_cards', section: 'personal', menu: entry('card', '/billing/cards'), permission: 'billing.read', wholeAccount: true, screen: page(() => import('../features/billing/cards.tsx'), 'CardsScreen', 'goods', 'billing') },
  { path: '/billing/transactions', title: 'personal.billing_transactions', section: 'personal', menu: entry('list', '/billing/transactions'), permission: 'billing.read', wholeAccount: true, screen: page(() => import('../features/billing/transactions.tsx'), 'TransactionsScreen', 'billing', 'inbox') },
  { path: '/billing/invoices', title: 'personal.billing_invoices', section: 'personal', menu: entry('file', '/billing/invoices'), permission: 'billing.read', wholeAccount: true, screen: page(() => import('../features/billing/invoices.tsx'), 'InvoicesScreen', 'invoices', 'billing') },
  { path: '/billing/withdrawals', title: 'personal.billing_withdrawals', section: 'personal', menu: entry('download', '/billing/withdrawals'), permission: 'billing.read', wholeAccount: true, screen: page(() => import('../features/billing/account/withdrawals.tsx'), 'WithdrawalsScreen', 'withdrawals') },
  { path: '/billing/balance', title: 'personal.billing_balance', section: 'personal', menu: entry('wallet', '/billing/balance'), permission: 'billing.read', wholeAccount: true, screen: page(() => import('../features/billing/account/balance.tsx'), 'BalanceScreen', 'billing', 'goods') },
  { path: '/install', title: 'personal.install', section: 'personal', menu: entry('server', '/install'), needs: 'installation_admin', screen: page(() => import('../features/installation/install.tsx'), 'InstallScreen', 'installation', 'withdrawals', 'invoices', 'plugins') },
  { path: '/forbidden', title: 'title.forbidden', phone: true, screen: page(() => import('./shell/forbidden.tsx'), 'ForbiddenScreen') },
];

type PlannedRow = RouteRow & { screen: { planned: MessageKey } };

export function isPlanned(row: RouteRow): row is PlannedRow {
  return typeof row.screen !== 'function';
}

const plannedForms = layoutRoutes
  .filter(isPlanned)
  .map(({ path }) => new RegExp(`^${path.replace(/\/\{-\$\w+\}/g, '(/[^/]+)?').replace(/\$\w+/g, '[^/]+')}$`));

export function leadsToPlanned(to: string): boolean {
  return plannedForms.some((form) => form.test(to));
}
