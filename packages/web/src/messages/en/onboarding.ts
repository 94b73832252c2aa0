import type { onboarding as zh } from '../zh-cn/onboarding.ts';

export const onboarding: Record<keyof typeof zh, string> = {
  'transfers.title': 'Devices that are to move to another account',
  'transfers.lead':
    'The administrator of this installation wants to move these devices. Object if they are yours; the administrator and the other account read the reason.',
  'transfers.line': 'moves at {time}: {reason}',
  'transfers.object': 'Object',
  'transfers.reason': 'Why the device is yours',
  'transfers.objected': 'Objected: the device stays',
  'requests.title': 'Devices that ask to enrol again',
  'requests.lead':
    'Each knows a binding code and names a device of yours, but has no proof by its old key. Allow it only if you or an installer reset or replaced the device at that address.',
  'requests.device': 'Device',
  'requests.device_ip': 'The device connects from',
  'requests.online': 'online',
  'requests.offline': 'offline',
  'requests.ip': 'The request came from',
  'requests.says': 'Reported by the device',
  'requests.last': 'Last asked',
  'requests.decision': 'Decision',
  'requests.allow': 'Allow',
  'requests.refuse': 'Refuse',
  'requests.allowed_until': 'Allowed until {time}',
  'requests.allow_title': 'Let {name} enrol again?',
  'requests.allow_body':
    'The request for {serial} from {ip} may enrol once within an hour. The device that is bound now loses its certificate and its connection.',
  'requests.refuse_title': 'Refuse the request for {name}?',
  'requests.refuse_body':
    'Requests for {serial} from {ip} are refused for 24 hours. The device stays as it is. If no one on your team made the request, replace the binding code too.',
  'requests.allow_done': 'Allowed: the device enrols automatically, or when the command is run again',
  'requests.refuse_done': 'Refused',
  'codes.title': 'Codes for installers',
  'codes.lead':
    'A separate code for each installer or delivery: limited in devices and days, without revealing the account’s code.',
  'codes.create': 'New code',
  'codes.create_submit': 'Make code',
  'codes.name': 'For whom',
  'codes.name_hint': 'The installer’s name, or the delivery',
  'codes.code': 'Code',
  'codes.devices': 'Devices',
  'codes.devices_of': '{n} of {max}',
  'codes.max_devices': 'Number of devices',
  'codes.max_devices_hint': 'Empty: any number',
  'codes.days': 'Lives for',
  'codes.days_n': '{n, plural, one {# day} other {# days}}',
  'codes.expires': 'Expires',
  'codes.never_expires': 'Never',
  'codes.state': 'State',
  'codes.state_active': 'Active',
  'codes.state_used_up': 'Used up',
  'codes.state_expired': 'Expired',
  'codes.state_withdrawn': 'Withdrawn',
  'codes.withdraw': 'Withdraw',
  'codes.withdraw_title': 'Withdraw the code of {name}?',
  'codes.withdraw_body': 'No device can enrol with it from now on. Devices that enrolled with it stay.',
  'codes.withdrawn': 'Code withdrawn',
  'codes.uses': 'Enrolments by code',
  'codes.used_at': 'Time',
  'codes.used_from': 'Address',
  'codes.used_code': 'Code',
  'codes.own_code': 'The account’s code',
  'codes.more': '{n, plural, one {# more} other {# more}}',
  'waiting.guide': 'Waiting for your device',
  'waiting.guide_lead':
    'Tell the device this console’s address and give it the binding code. It appears here automatically.',
  'waiting.step_code': 'Binding code',
  'waiting.step_script': 'Run one command on the device',
  'waiting.step_script_body':
    'Paste it as root over SSH. It works on access points and switches with uCentral firmware, and makes any other Linux machine (Node.js 20 or newer) a gateway.',
  'waiting.needs': 'A Linux machine needs:',
  'waiting.needs_root': 'x86 or ARM Linux, Debian for example, and root; two network ports for the WAN and the LAN',
  'waiting.needs_node':
    'Node.js 20 or newer (part of Debian from 13 on, installed by hand on 12), ip (iproute2) and nft (nftables)',
  'waiting.needs_tools':
    'dnsmasq, tc, conntrack, tcpdump, ping and busybox for DHCP, limits, traffic by application and captures',
  'waiting.needs_ports': 'a way to this console’s address and to {host}:{port}',
  'waiting.switch_title': 'A switch with the OpenLAN client',
  'waiting.switch_body':
    'It has no shell for this command. Run the one below on your own computer with the MAC address on the label of the switch; it creates the files for the switch. The binding guide says where to put them.',
  'waiting.needs_missing':
    'The script names missing packages and how to install them. On Debian this command installs them too:',
  'waiting.check_enrol_before': 'The one before was {serial}, {when}.',
  'waiting.check_report': 'First report',
  'waiting.check_report_none': 'It arrives within about a minute of connecting.',
  'waiting.check_report_seen': '{serial} has reported, {when}',
  'waiting.open_network': 'Open its network',
  'waiting.open_waiting': 'Assign it to a network',
  'waiting.help': 'Nothing happens?',
  'waiting.help_reach':
    'Run this on the machine; it should print 200. If not, the machine does not reach the console: check the address, DNS and firewalls.',
  'waiting.help_port': 'Make sure that firewalls let TCP through to {host} port {port}.',
  'waiting.help_log':
    'With a certificate but no connection, look at the agent’s log (on OpenWrt: logread -e yunxun-edge).',
  'waiting.help_clock': 'Check the machine’s clock: if it is far off, certificates seem not yet valid, or expired.',
  'waiting.help_again': 'Then run the command again; running it twice does no harm.',
  'waiting.step_dhcp': 'Or configure DHCP',
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
  'waiting.check_enrol_refused': '{serial} got no certificate {when}. The reason is below, under Refused.',
  'waiting.check_enrol_seen': '{serial} received its certificate {when}',
  'waiting.check_tls': 'Connection',
  'waiting.check_tls_none': 'No device has connected to port {port} yet. Check that the firewall lets it through.',
  'waiting.check_tls_others':
    '{n, plural, one {# device is} other {# devices are}} online through port {port}. No new device has connected.',
  'waiting.check_tls_others_awaited':
    '{serial} has not connected. {n, plural, one {# other device is} other {# other devices are}} online through port {port}: check the firewall in front of this device.',
  'waiting.check_tls_before': 'No device is online. The last one used port {port} {when}.',
  'waiting.check_tls_before_awaited':
    '{serial} has not connected, and no device is online. The last one used port {port} {when}: check that the firewall still lets it through.',
  'waiting.check_tls_seen': '{serial} connected {when}',
  'waiting.check_refused': 'Refused',
  'waiting.check_refused_none': 'Nothing was refused',
  'waiting.state_ok': 'Fine',
  'waiting.state_wait': 'Waiting',
  'waiting.state_bad': 'Problem',
  'waiting.arrived': 'Device {serial} is online',
  'waiting.refused_dialled': 'SNI {sni}, Host {host}; the certificate is for {names}.',
  'refusal_fix.bound-elsewhere':
    'If you have the other account, unbind the device there. Otherwise enrol it with its factory certificate, or ask the administrator of this installation to move the serial to this account.',
  'refusal_fix.enrolment-refused':
    'A refusal holds for 24 hours. To enrol the device sooner, unbind it, then run the enrolment command again.',
  'refusal_fix.too-many-claims':
    'Connect the devices that have their certificates, or wait until 24 hours have passed since they got them. The limit counts for the account, and for the public address.',
  'refusal_fix.no-certificate': 'Run the enrolment command on it: it writes the device’s key and certificate.',
  'refusal_fix.foreign-authority':
    'Run the enrolment command on it, or add its authority to YUNXUN_DEVICE_CLIENT_CAS and restart the console.',
  'refusal_fix.certificate-expired':
    'Run the enrolment command on it again. A certificate of another authority is renewed there (EST re-enrolment).',
  'refusal_fix.certificate-not-yet-valid':
    'Compare the clock of this server with that of the authority that issued the certificate, and set the wrong one.',
  'refusal_fix.certificate-name':
    'The CN must be the serial: the MAC as 12 hexadecimal digits. Run the enrolment command on it.',
  'refusal_fix.not-enrolled': 'Run the enrolment command on it once: that binds its serial to your account.',
  'refusal_fix.unbound':
    'To bind it again, run the enrolment command on it. Otherwise nothing needs to be done: after 30 minutes a gateway removes what the console had added, keeps LAN and internet, and asks only once in half an hour to an hour.',
  'refusal_fix.certificate-unknown': 'Run the enrolment command on it again.',
  'refusal_fix.certificate-revoked': 'If it is your device, run the enrolment command on it again.',
  'refusal_fix.certificate-shared':
    'Run the enrolment command on this device with its own serial, or choose on the device’s page which of the two to let in.',
  'refusal_fix.serial-mismatch':
    'The certificate was copied from another device. Run the enrolment command on this one.',
  'refusal_fix.no-connect': 'Restart its client; if that does not help, look at the device’s log.',
  'refusal_fix.wrong-path': 'Devices connect to /. Look for a proxy in front of the port that rewrites the path.',
  'refusal_fix.not-websocket':
    'A browser or a monitor asked here. If a proxy stands in front of the port, it must pass TCP on unchanged.',
  'refusal_fix.wrong-name':
    'On the device, set “server” in gateway.json (or DHCP option 224, or the DNS record) to {names}; or start the console with YUNXUN_DEVICE_HOST={dialled}. Then restart the device: by itself it tries again only after 30 minutes. The name is compared letter by letter, capitals too.',
  'refusal_fix.left-after-handshake':
    'Compare “server” in its gateway.json with {names}: an address in place of the name does not fit either. If they are the same, look at the device’s log.',
  'refusal_fix.left-after-upgrade':
    'The name fits, but firmware before mid-2026 reads only the first name of the certificate (CN). Use exactly {names} on the device, then restart it. If this happened once, the connection was merely lost.',
  'refusal_fix.server-untrusted':
    'It holds the authority of another installation, or of this one before it was set up anew. Run the enrolment command on it again.',
  'refusal_fix.clock-ahead':
    'Its clock is ahead, so that this console’s certificate has ended for it. Set the clock (NTP), then restart its client.',
  'refusal_fix.clock-behind':
    'Its clock is probably behind, so that this console’s certificate has not begun for it. Set the clock (NTP), then restart its client.',
  'refusal_fix.tls-version': 'Devices need TLS 1.2 or newer. Upgrade its firmware.',
  'refusal_fix.tls-failed':
    'Look for something between device and console that changes TLS (an inspecting firewall, a proxy that ends TLS).',
};
