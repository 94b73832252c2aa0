import type { findings as zh } from '../zh-cn/findings.ts';

export const findings: Record<keyof typeof zh, string> = {
  'finding.about': '{about}: {said}',
  'finding.no_radio': 'The device has no radio for this band',
  'finding.radio_off': 'The radio of this band is off',
  'finding.security_6g': '6 GHz does not take this security',
  'finding.key_hex': 'This firmware does not accept a key of 64 hex digits: use 8 to 63 characters',
  'finding.ssid_left_out': 'This device will not send out this SSID',
  'finding.captive_firmware':
    'The firmware of this device cannot run the sign-in of guests: it does not send out this SSID, which would let everyone online',
  'finding.captive_keys':
    'Keys of this SSID put clients into other VLANs, past the sign-in of guests: the SSID is not sent out',
  'finding.captive_second':
    'The firmware runs the sign-in of guests in one VLAN, and another SSID has it already: this SSID is not sent out',
  'finding.too_many_ssids': 'Too many SSIDs on one band',
  'finding.not_wireless': 'The device has no wireless',
  'finding.mode_lowered': 'Mode lowered to the highest supported one',
  'finding.width_lowered': 'Width lowered to the highest supported one',
  'finding.width_unknown': 'The device supports no mode and width within the settings; its lowest mode is used',
  'finding.channel_unsupported': 'The device does not have this channel; automatic instead',
  'finding.channel_aligned': 'Channel aligned to the width',
  'finding.dfs_restricted': 'A radar channel; the device may leave it',
  'finding.country_unsupported': 'The device does not support this country',
  'finding.lan_overlap': 'The LAN overlaps one of its own VLANs',
  'finding.subnets_collide':
    'Subnets collide: WAN uplink {line} has its address or router in {subnet}, which overlaps {name}; clients of that LAN would have no network',
  'finding.addresses_unknown':
    'The gateway has not reported the addresses of its WAN uplinks yet; checked and pushed after its first report',
  'finding.vlan_unsupported': 'The device cannot do VLANs',
  'finding.schema_unknown': 'The device’s configuration schema is newer than this console supports',
  'finding.too_large': 'The configuration is larger than the device takes',
  'finding.not_valid': 'The configuration did not pass its check',
  'finding.no_reboot':
    'The owner of the gateway host does not let the console restart it: the scheduled restart will not happen',
  'finding.no_blocking': 'The gateway’s agent is too old to block clients by cable: upgrade the agent',
  'finding.gateway_firmware': 'This gateway runs access-point firmware: it does not take these settings',
  'finding.lan_by_network':
    'The LAN address of the device is no longer used: the gateway settings of the network define it',
  'finding.too_many_lines':
    'The gateway has {count} WAN ports, at most {most} of which can be used: choose them in the gateway settings',
  'finding.port_missing': 'The gateway has no port {port}',
  'finding.no_vlan_tags': '{name}: the gateway’s kernel has no VLAN devices, so no port can be tagged',
  'finding.agent_outdated': '{name}: the agent of the gateway is too old for this setting of a WAN uplink',
  'finding.mtu_unfit': '{name}: {port} takes an MTU from {min} to {max} only',
  'finding.no_shaping': '{name}: the gateway’s kernel cannot limit rates (no htb)',
  'finding.no_ifb': '{name}: the gateway’s kernel cannot limit incoming WAN traffic (no ifb)',
  'finding.no_dhcp_client':
    '{name}: the gateway has no DHCP client (busybox udhcpc), so the WAN uplink needs a static address',
  'finding.not_switch': 'Settings of ports are for switches',
  'finding.ports_unknown': 'The switch has not reported its ports yet; pushed after its first report',
  'finding.port_gone': '{port}: the switch has no such port',
  'finding.port_speed_unknown':
    '{ports}: never in use, so the speed is not known; {speed} Mbit/s is sent unless a speed is set',
  'finding.port_is_uplink':
    '{port} leads to the gateway: turning it off or moving it to another VLAN would cut the switch off',
  'finding.port_uplink_kept':
    '{ports}: leads to the gateway; the rule that would turn it off, take its power or move it to another VLAN is not applied to it',
  'finding.port_uplink_unknown':
    '{ports}: the port to the gateway is unknown, so rules that turn ports off, cut their power or change their VLAN are not applied. They apply once the router announces itself (LLDP) or the gateway is managed here',
  'finding.port53_in_use':
    '{process} listens on {address}, port {port}: the gateway’s own DNS and DHCP cannot start beside it. Let the agent take its place, or stop it on the machine',
  'finding.port53_taken':
    'The agent stops and disables {process}, which listens on {address}, port {port}. It starts again when the gateway no longer serves its LANs',
  'finding.port53_no_service':
    '{process} listens on {address}, port {port}, and the agent cannot stop it: stop it on the machine, then check again after a minute',
  'finding.ssh_closed': 'Closes SSH on the access point: signing in over SSH is no longer possible',
  'finding.no_ntp': '{name}: the agent of the gateway is too old to serve the time (NTP)',
  'finding.no_dnsmasq': '{name}: the gateway has no dnsmasq, so it cannot give out addresses',
};
