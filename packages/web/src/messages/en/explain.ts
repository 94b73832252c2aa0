import type { explain as zh } from '../zh-cn/explain.ts';

export const explain: Record<keyof typeof zh, string> = {
  'explain.attention.what':
    'Networks and devices that are offline, the longest first, with the terminals of the last report before; devices that refused their configuration, run one that nobody pushed, or wait for a network; failed jobs of seven days. While the console itself was away nobody knows who was there: that time is said beside the duration.',
  'explain.attention.source':
    'Connections of devices, what they answer to a configuration, and jobs. It is said of at most 20 of each kind, and all are counted.',
  'explain.routers.what':
    'Networks of the account. One is online while its gateway is; without a gateway, while any device is. A device that runs but cannot reach the console is offline here.',
  'explain.routers.source':
    'Connections of devices: at once when one opens or closes, after at most 150 s when it falls silent.',
  'explain.aps.what':
    'Access points in networks, and those online. One that is also the gateway of its network counts; one that nobody bound does not.',
  'explain.aps.source':
    'Connections of devices: at once when one opens or closes, after at most 150 s when it falls silent.',
  'explain.bands.what':
    'Terminals associated now with access points that are online, by band. A terminal on two bands at once counts in both.',
  'explain.bands.source': 'State reports of access points, and messages of terminals that join and leave.',
  'explain.income.what':
    'Income since midnight less what was paid back, in yuan; payments outside of the console do not count.',
  'explain.income.source': 'The account’s ledger.',
  'explain.alarms.what': 'Alarms that are firing, by level.',
  'explain.alarms.source': 'The alarm feature; before it is here there is no number, and it is not shown as 0.',
  'explain.online.what':
    'Users in the latest report of a device that is connected, wireless or wired. “Today” are the different users seen since midnight. A MAC address is a user.',
  'explain.online.source':
    'State reports of devices, and messages of terminals that join and leave. Users behind an offline device are not known.',
  'explain.auth.what':
    'Those of the users online now whom the captive portal of the device has let through. “Today” are the different users seen authenticated since midnight.',
  'explain.auth.source': 'State reports of devices; people who signed in elsewhere are not known.',
  'explain.intercept.what': 'Requests that cloud security has refused.',
  'explain.intercept.source': 'Cloud security; before it is here there is no number, and it is not shown as 0.',
  'explain.flow.what':
    'Bytes through the uplinks, both ways, today and the 6 days before. Of a network with a gateway, the gateway’s only; of one without, those of its access points; switches never count. The categories add up to what their sources saw, which need not be the total.',
  'explain.flow.source':
    'Differences of absolute counters of the uplink ports: a report that is lost, repeated or late changes no sum. Categories come only from devices that tell applications apart; without one nothing is split by guess.',
  'explain.trend.what':
    'Different users of each day. New users were never seen in the account before, returning are the others; the two add up to the day’s users. A day without any report is a gap, not 0.',
  'explain.trend.source':
    'State reports of devices, and messages of terminals that join and leave; today changes until midnight. Random MAC addresses inflate the number of new users.',
  'explain.wireless.what':
    'Wireless bytes: down is to terminals, up from them. Today is since midnight; the 7 days include today, both ways together. Traffic through the uplinks is counted separately.',
  'explain.wireless.source': 'Differences of absolute counters of access points; a day without any report is a gap.',
  'explain.stage.what':
    'Bytes through the uplinks in the period, counted as the traffic of 7 days, by five parts of the day.',
  'explain.stage.source':
    'Differences of absolute counters of the uplink ports, by the clock of the account’s time zone.',
  'explain.app_stage.what': 'Bytes of each application category in the period, by slot of four hours.',
  'explain.app_stage.source':
    'Devices that tell applications apart; networks without one are left out, nothing is estimated.',
  'explain.auth_type.what':
    'Authenticated users of the period, each once a day. Devices report only that the portal let a user through, not by which method.',
  'explain.auth_type.source': 'State reports of devices.',
  'explain.client_type.what':
    'Different users of the period by platform; those whose platform nobody knows are in no share and are named apart.',
  'explain.client_type.source':
    'The device’s fingerprinting where that is on, else the portal’s User-Agent, else the host name. Better knowledge replaces the earlier, for past days too.',
  'explain.app_times.what':
    'How often each application category was used in the period, most first; percentages are of all uses.',
  'explain.app_times.source': 'Devices that tell applications apart.',
  'explain.user_label.what':
    'Users seen in the period, by when each was first seen: within the last 30 days, or earlier. “Returning” in the trend is counted day by day and is another number.',
  'explain.user_label.source':
    'The record of when each user was first seen. One terminal with random addresses may be several users.',
  'explain.client_time_block.what':
    'Visits (a user, a network, a day) by the parts of the day in which the user was seen; a visit over noon is in two parts.',
  'explain.client_time_block.source':
    'The times at which terminals were there, by the clock of the account’s time zone.',
  'explain.user_time.what':
    'Visits by the time present that day; time between two visits of one day is not time present.',
  'explain.user_time.source': 'The times at which terminals were there.',
  'explain.terminal_type.what':
    'Different users of the period by terminal type; those whose type nobody knows are in no share and are named apart.',
  'explain.terminal_type.source':
    'The device’s fingerprinting where that is on, else the portal’s User-Agent, else the host name.',
  'explain.terminal_brand.what':
    'The ten most frequent brands; percentages are of users whose brand is known, the others are named apart.',
  'explain.terminal_brand.source':
    'The device’s fingerprinting, the host name or the vendor of the MAC address; a random address has no maker.',
};
