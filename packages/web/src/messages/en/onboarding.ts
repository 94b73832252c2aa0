import type { onboarding as zh } from '../zh-cn/onboarding.ts';

export const onboarding: Record<keyof typeof zh, string> = {
  'waiting.guide': 'Waiting for your device',
  'waiting.guide_lead':
    'Tell the device where this console is and give it the binding code. It appears here by itself, without reloading.',
  'waiting.step_code': 'Binding code',
  'waiting.step_script': 'Run one line on the device',
  'waiting.step_script_body':
    'Paste it as root over SSH. It works on access points and switches with uCentral firmware, and makes any other Linux machine (Node.js 20 or newer) a gateway.',
  'waiting.needs': 'A Linux machine needs:',
  'waiting.needs_root':
    'x86 or ARM Linux, Debian for example, and root; two network ports to have both a line and a LAN',
  'waiting.needs_node':
    'Node.js 20 or newer (part of Debian from 13 on, installed by hand on 12), ip (iproute2) and nft (nftables)',
  'waiting.needs_tools':
    'dnsmasq, tc, conntrack, tcpdump, ping and busybox for DHCP, limits, traffic by application and captures',
  'waiting.needs_ports': 'a way to this console’s address and to {host}:{port}',
  'waiting.needs_missing':
    'The script says what is missing and how to install it. On Debian this line installs it too:',
  'waiting.check_enrol_before': 'The one before was {serial}, {when}.',
  'waiting.check_report': 'First report',
  'waiting.check_report_none': 'It comes within about a minute of connecting.',
  'waiting.check_report_seen': '{serial} has reported, {when}',
  'waiting.open_network': 'Open its network',
  'waiting.open_waiting': 'Place it in a network',
  'waiting.help': 'Nothing happens?',
  'waiting.help_reach':
    'Run this on the machine; it should print 200. If not, the machine does not reach the console: check the address, DNS and firewalls.',
  'waiting.help_port': 'Make sure that firewalls let TCP through to {host} port {port}.',
  'waiting.help_log':
    'With a certificate but no connection, look at the agent’s log (on OpenWrt: logread -e yunxun-edge).',
  'waiting.help_clock': 'Check the machine’s clock: if it is far off, certificates seem not yet valid, or expired.',
  'waiting.help_again': 'Then run the line again; running it twice does no harm.',
  'waiting.step_dhcp': 'Or let DHCP tell the device',
  'waiting.step_dhcp_body': 'With factory settings a device looks for its console in these places:',
  'waiting.dhcp_224': 'DHCP option 224 (private use)',
  'waiting.dhcp_138': 'DHCP option 138 (CAPWAP)',
  'waiting.dns_name': 'Name in the local DNS',
  'waiting.dns_host': 'The name works only when the console is started with YUNXUN_DEVICE_HOST={name}.',
  'waiting.dhcp_certificate':
    'A device that joins this way must already hold a certificate that this installation trusts.',
  'waiting.why': 'Why is it not here yet?',
  'waiting.check_address': 'Console address',
  'waiting.check_address_ok': 'Devices connect to {host}:{port}',
  'waiting.check_address_local':
    '{host} is this machine only; no other can reach it. Set YUNXUN_PUBLIC_URL to the public address and restart.',
  'waiting.check_name': 'Certificate name',
  'waiting.check_name_ok': 'The certificate holds {names}',
  'waiting.check_name_bad': 'The certificate holds {names} but not {host}, so devices hang up. Set YUNXUN_DEVICE_HOST.',
  'waiting.check_enrol': 'Enrolment',
  'waiting.check_enrol_none':
    'No device has asked for a certificate yet. Check the binding code in the command, and that the device reaches the address above.',
  'waiting.check_enrol_seen': '{serial} received its certificate {when}',
  'waiting.check_tls': 'Connection',
  'waiting.check_tls_none': 'No device has connected to port {port} yet. Check that the firewall lets it through.',
  'waiting.check_tls_seen': '{serial} connected {when}',
  'waiting.check_refused': 'Refused connections',
  'waiting.check_refused_none': 'Nothing was refused',
  'waiting.state_ok': 'Fine',
  'waiting.state_wait': 'Waiting',
  'waiting.state_bad': 'Problem',
  'waiting.arrived': 'Device {serial} is online',
};
