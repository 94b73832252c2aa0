import type * as source from './alarms-zh-cn.ts';

/** What an alarm says in the messages of the home page. */
export const alarms = {
  'alarm.network_offline': 'Network {network} is offline: none of its devices is connected',
  'alarm.gateway_offline': 'Gateway {name} of {network} is offline',
  'alarm.uplink_lost': '{network}: several devices behind {name} {part} went offline at once',
  'alarm.switch_offline': 'Switch {name} of {network} is offline',
  'alarm.ap_offline': 'Access point {name} of {network} is offline',
  'alarm.wan_down': 'WAN {part} of {name} in {network} is down',
  'alarm.health_low': 'The health of {name} in {network} is low',
  'alarm.memory_high': 'The memory of {name} in {network} is almost full',
  'alarm.channel_busy': 'The channel of {name} in {network} is busy',
  'alarm.temperature_high': '{name} in {network} is too hot',
  'alarm.config_failed': '{name} in {network} refused its configuration',
  'alarm.config_drifted': '{name} in {network} runs a configuration that the console did not push',
  'alarm.upgrade_failed': 'The firmware upgrade of {name} in {network} failed',
  'alarm.certificate_shared': 'Two devices use the certificate of {name} in {network}',
  'alarm.wan_latency_high': 'The latency of WAN {part} of {name} in {network} is high',
  'alarm.wan_loss_high': 'WAN {part} of {name} in {network} loses packets',
  'alarm.device_crashed': '{name} in {network} crashed and restarted',
  'alarm.port_slow': 'Port {part} of {name} in {network} fell to 100 Mbit/s or less',
  'alarm.dhcp_pool_low': 'The DHCP pool of {part} on {name} in {network} is almost used up',
  'alarm.certificate_expiring': 'The certificate of {name} in {network} expires soon',
  'alarm.backup_overdue': 'The scheduled backup of {network} is overdue',
  'alarm.storage_low': 'The storage of {name} in {network} is almost full',
  'alarm.sdwan_path_changed': 'Traffic of {name} in {network} changed its path in the SD-WAN {part}',
  'alarm.sdwan_down': '{name} in {network} has lost all tunnels of the SD-WAN {part}',
} as const satisfies Readonly<Record<keyof typeof source.alarms, string>>;
