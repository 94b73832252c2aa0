import type { planned as zh } from '../zh-cn/planned.ts';

export const planned: Record<keyof typeof zh, string> = {
  'planned.auth':
    'Turn guest authentication on or off for this network: template, methods and their order, range, exempt lists, speed limits and roaming, with a dry run on your own phone.',
  'planned.auth_portal':
    'Design the page a guest sees: carousel, background, sign-in buttons, text and links, with a live phone preview, drafts, publishing and earlier versions.',
  'planned.sms_pay_log':
    'SMS balance, every message sent with time, number, result and fee, top-up orders, and the daily limits.',
  'planned.device_index':
    'Register and watch switches, cameras, printers and other peripherals: status, last outage, remote web or shell access, import and export.',
  'planned.flow_monitor':
    'Traffic by application, terminal and line, from the last 5 minutes to a day, compared with yesterday, down to a single connection.',
  'planned.audit':
    'Search browsing records by user, MAC, IP, domain and time, with the retention stated; every export is itself logged.',
  'planned.sdwan_index':
    'Remote networking at a glance: networks and nodes online, tunnels, bandwidth in use, what expires soon, and the trial.',
  'planned.sdwan_package':
    'Choose a package by nodes, domestic and foreign bandwidth and period, with prices and the trial’s terms.',
  'planned.sdwan_create':
    'Five steps to a remote network: peer, star or tree; the nodes; overlapping subnets found and mapped; who may reach whom; deploy.',
  'planned.sdwan_order': 'Orders with number, package, amount, payment state and invoice.',
  'planned.sdwan_manage':
    'Add and remove members, rename, renew and delete, seeing which tunnels and routes change before they do.',
  'planned.sdwan_show':
    'Live topology of one remote network: latency, loss and traffic of each tunnel, the route table, and a path test from A to B.',
  'planned.sdwan_group':
    'Groups inside a remote network: members, bandwidth and inherited policy, arranged by dragging in the tree.',
  'planned.sdwan_link_strategy':
    'Prefer a line by application, subnet or port, with loss and latency thresholds for failover and a delay before switching back.',
  'planned.template_manage':
    'Authentication templates with thumbnail, methods, where each is used, draft or published; copy and apply.',
  'planned.template_edit':
    'Edit a template: basics, one to eight methods with their limits, authentication range, page and allowlist.',
  'planned.template_add': 'Start a template from a preset; names are unique and at least one method is needed.',
  'planned.cloud_security':
    'Protection settings, URL allowlist and the security briefing: what was blocked, which terminals were hit, and how to allow it.',
  'planned.plugin_index':
    'Browse and install plugins: description, permissions asked, compatibility with your routers, and the state of those installed.',
  'planned.plugin_apps': 'The page of an installed plugin, in an isolated frame.',
  'planned.alarm':
    'Alarms grouped by root cause, with level, object, duration and users affected; acknowledge, silence, assign, and follow the timeline.',
  'planned.alarm_subscribe':
    'Which alarms, when, through which channel, to whom; before saving, see how many the last 30 days would have sent.',
  'planned.billing_packages': 'Prices, periods and renewal of paid packages.',
  'planned.billing_cards': 'Batches of recharge cards with face value, count and use; print, export and void.',
  'planned.billing_transactions': 'Income, expenses, refunds and withdrawals, with filters and export.',
  'planned.billing_invoices': 'Request invoices for orders, follow their progress and download them.',
};
