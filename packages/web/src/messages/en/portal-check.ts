import type { portalCheck as zh } from '../zh-cn/portal-check.ts';

export const portalCheck: Record<keyof typeof zh, string> = {
  'site_portal.check_about':
    'A guest’s way through the sign-in, step by step. The Yunxun gateway resolves the names and connects to the sign-in page when this page opens.',
  'site_portal.check_again': 'Check again',
  'site_portal.check_capture': 'Capture',
  'site_portal.check_dns': 'DNS',
  'site_portal.check_port': 'Port of the sign-in page',
  'site_portal.check_garden': 'Walled garden',
  'site_portal.check_payment': 'Payment',
  'site_portal.finding_pay_no_name':
    'WeChat Pay is to open on phones (H5 or JSAPI), but the console’s address is {name}. WeChat takes only a registered domain with HTTPS; for JSAPI it needs an ICP filing. Set YUNXUN_PUBLIC_URL, or switch these ways off under “Installation → Payments”.',
  'site_portal.finding_pay_closed':
    'Guests cannot reach {name} before they sign in, so they can pay over mobile data only. Switch on “Let payment hosts through before sign-in” under “Settings”; a Yunxun gateway needs a newer agent.',
  'site_portal.finding_pay_h5':
    'The console cannot see what is registered. At WeChat Pay, {name} has to be a domain for H5 payment. Try a payment in the browser of a phone.',
  'site_portal.finding_pay_jsapi':
    'The console cannot see what is registered. At WeChat Pay, https://{name}/pay/wechat/ has to be a payment directory; at the official account, {name} a domain for web page authorization. Try a payment inside WeChat.',
  'site_portal.finding_pay_both':
    'The console cannot see what is registered. At WeChat Pay, {name} has to be a domain for H5 payment and https://{name}/pay/wechat/ a payment directory; at the official account, {name} a domain for web page authorization. Try both on a phone.',
  'site_portal.check_messages': 'Text messages and e-mail',
  'site_portal.check_grant': 'Grant',
  'site_portal.check_radius': 'RADIUS',
  'site_portal.check_state_ok': 'In order',
  'site_portal.check_state_wrong': 'Wrong',
  'site_portal.check_state_unknown': 'Not known',
  'site_portal.check_state_unneeded': 'Not needed',
  'site_portal.finding_page_off': 'The sign-in page is off. Switch it on under “Settings”.',
  'site_portal.finding_no_template':
    'No published template is chosen. Choose one under “Settings”, or publish the one that is chosen.',
  'site_portal.finding_unable': 'The gateway cannot capture guests. “Settings” says why.',
  'site_portal.check_exempt': 'Devices without sign-in',
  'site_portal.finding_ranges_version':
    'The agent on the gateway is too old for address ranges and exempt IPv6 addresses: networks with ranges are not captured. Upgrade it.',
  'site_portal.finding_range_outside':
    'No client can have an address of {name}: the network has another subnet. Correct the range.',
  'site_portal.finding_ssid_lost':
    'The SSID {name} was removed, or the gateway has no network with its VLAN any more: its clients need no sign-in. Choose again.',
  'site_portal.finding_range_of_ssid':
    'The SSID {name} is now in a network with address ranges: its clients outside of them need no sign-in. Remove the ranges, or the SSID.',
  'site_portal.finding_not_in_force':
    'The gateway does not report the sign-in: it is offline, or the push has failed. Look at the gateway and its last push.',
  'site_portal.finding_never_seen':
    'No guest and no request has come from the gateway since these settings. Enter what “Show gateway settings” shows on it, and check that it reaches the address of the page.',
  'site_portal.finding_silent':
    'The gateway has not polled for more than 5 minutes. Check that openNDS runs, that it reaches the address of the page and trusts its certificate.',
  'site_portal.finding_wrong_secret':
    'The gateway has another secret than the console. Use “Show gateway settings” and enter them on the gateway.',
  'site_portal.finding_other_secret':
    'A guest came from an access point with another secret than the console’s. Below is how far each of them is; push again where the push failed.',
  'site_portal.finding_by_hand':
    'The console cannot ask this gateway. On a client that has not signed in, check that the name resolves and that the host opens.',
  'site_portal.finding_no_answer': 'The gateway does not answer. Bring it online and check again.',
  'site_portal.finding_old_agent': 'The agent on the gateway is too old to try the port. Upgrade it.',
  'site_portal.finding_port_closed':
    'The gateway cannot connect to {name}. Check YUNXUN_PORTAL_PORT, and the firewalls between the gateway and the console.',
  'site_portal.finding_unresolved':
    'The gateway cannot resolve {name}. Check its DNS servers, and that the name exists.',
  'site_portal.finding_garden_cut':
    'The whitelist has more than 64 hosts; the gateway opens the first 64. Shorten the whitelist.',
  'site_portal.finding_address_moved':
    'The host of the sign-in page now has the address {name}, which the settings shown last do not have: the gateway stops guests on their way. Use “Show gateway settings” and enter them again; openNDS from 10.2 only has to be restarted.',
  'site_portal.finding_settings_changed':
    'The settings of the gateway have changed since they were shown, for example the whitelist. Use “Show gateway settings” and enter them.',
  'site_portal.finding_sms_to_file':
    'The template offers codes by text message, but this installation has no SMS provider: codes stay in the outbox (outbox.ndjson in the server’s data folder), and the sign-in page says that no text messages can be sent. The administrator of the installation sets up a provider under “Installation → Mail and SMS”.',
  'site_portal.finding_mail_to_file':
    'The template asks hosts by e-mail, but this installation has no mail provider: requests are written to outbox.ndjson in the server’s data folder, and the guest’s page says so. The administrator of the installation sets up a provider under “Installation → Mail and SMS”.',
  'site_portal.finding_not_taken':
    'The gateway did not take the last grant. Check that it is online; with openNDS that level and secret match, with RADIUS that the guest’s browser reaches the gateway.',
  'site_portal.finding_no_sign_in': 'No guest has signed in for 24 hours. Sign in with a phone, then check again.',
  'site_portal.finding_no_nas': 'This network has no RADIUS client. Add the gateway under RADIUS.',
  'site_portal.finding_nas_never':
    'The gateway has not sent a RADIUS packet yet. Check server address, ports 1812 and 1813, and the firewall.',
  'site_portal.finding_nas_refused':
    'The last RADIUS packet was refused. The RADIUS page says why; most often the secret differs.',
  'site_portal.finding_no_accounting':
    'The gateway signs guests in but sends no accounting. Enter the accounting server, port 1813: without it the console sees no end of a session, and a guest who comes back with another private MAC finds the place taken.',
  'site_portal.gate_step_document': 'Document',
  'site_portal.gate_step_applied': 'Applied',
  'site_portal.gate_step_read_back': 'Read back',
  'site_portal.gate_step_redirect': 'Redirect with a valid signature',
  'site_portal.gate_step_radius': 'RADIUS over the connection',
  'site_portal.gate_finding_unable':
    'Its firmware has no sign-in, so it does not send out these SSIDs. Upgrade the firmware, or replace the access point.',
  'site_portal.gate_finding_left_out':
    'It leaves out an SSID that cannot have the sign-in: the SSID is of another VLAN than the first, or has keys into other VLANs. Change the SSIDs under “Settings”.',
  'site_portal.gate_finding_no_ssid':
    'None of the chosen SSIDs is sent out here: they were removed or switched off, for the network or on this access point.',
  'site_portal.gate_finding_waits': 'The push is under way. Check again in a minute.',
  'site_portal.gate_finding_offline': 'The access point is offline. It gets the settings when it connects.',
  'site_portal.gate_finding_refused':
    'The push failed, or the access point runs another configuration. Look at its configuration, and push again.',
  'site_portal.gate_finding_not_reported':
    'Its last report is of another configuration. Reports come every minute: check again.',
  'site_portal.gate_finding_no_redirect':
    'No guest has come from this access point. Join one of the SSIDs with a phone. If no page opens, check that the access point reaches the address of the page, and that clients use it as DNS server.',
  'site_portal.gate_finding_no_radius':
    'No accounting has come from this access point. Sign in with a phone; accounting begins within ten seconds. If the sign-in is refused, “RADIUS” above says why.',
  'site_portal.finding_no_redirect':
    'No guest has come from the access points since these settings. Below is how far each of them is.',
};
