import type { CodeName } from '../codes.ts';
import type * as source from './zh-CN.ts';

type Same<T> = Readonly<Record<keyof T, string>>;

/** Texts of the validation rules, shown beside the field. */
export const validation = {
  'validation.required': 'This field is required',
  'validation.invalid': 'This value is not valid',
  'validation.unknownField': 'This field is not supported',
  'validation.choice': 'Choose one of the options',
  'validation.minItems': 'Choose at least {min, plural, one {# item} other {# items}}',
  'validation.maxItems': 'At most {max, plural, one {# item} other {# items}}',
  'validation.duplicate': 'This repeats another entry',
  'validation.mobile': 'Enter an 11-digit mobile number',
  'validation.mobileMismatch': 'This does not match the currently bound mobile number',
  'validation.password': '{min}-{max} letters, digits or ~!@#$%^&*?, at least two of the three kinds',
  'validation.samePassword': 'This is the password you have now; choose another',
  'validation.passwordFilter': 'Chinese and special characters are not supported',
  'validation.noSpecialCharacters':
    'Spaces, quotes, brackets and special characters such as % = ? ^ ; / \\ & * < > $ | are not allowed',
  'validation.nameText':
    'Only letters, digits, Chinese characters, commas, periods, underscores and hyphens; no spaces',
  'validation.ssid':
    'A Wi-Fi name takes letters, digits, Chinese characters, spaces, underscores, hyphens and !@#^()* only',
  'validation.ssidBytes':
    'A Wi-Fi name holds {max, plural, one {# byte} other {# bytes}} (a Chinese character takes 3); this one has {bytes}',
  'validation.mac': 'Enter a MAC address such as 00:1A:2B:3C:4D:5E',
  'validation.idCard': 'An ID card number has 15 or 18 digits',
  'validation.bankCard': 'A bank card number has 16 or 19 digits',
  'validation.subnet': 'Enter a subnet such as 192.168.1.0/24, prefix 8 to 32',
  'validation.subnetUnusable': 'This range cannot be a subnet (local, link-local or multicast addresses)',
  'validation.subnetHostBits': 'The host part of a subnet must be zero: write {canonical}',
  'validation.noQuotes': 'Quotation marks are not allowed',
  'validation.timeBucket': 'Enter a period as HH:MM-HH:MM (24 hours), such as 00:00-08:00',
  'validation.withdrawalPassword': 'The withdrawal password has 6 digits',
  'validation.email': 'Enter a valid e-mail address',
  'validation.url': 'Enter a link that starts with http:// or https://',
  'validation.ip': 'Enter a valid IP address',
  'validation.integer': 'Enter a whole number',
  'validation.numeric': 'Enter a number',
  'validation.length': 'Use {min} to {max, plural, one {# character} other {# characters}}',
  'validation.tripleLength':
    'Use {min} to {max, plural, one {# character} other {# characters}} (a Chinese character counts as 3)',
  'validation.minLength': 'Use at least {min, plural, one {# character} other {# characters}}',
  'validation.maxLength': 'Use at most {max, plural, one {# character} other {# characters}}',
  'validation.minValue': 'Must be {min} or more',
  'validation.maxValue': 'Must be {max} or less',
  'validation.between': 'Must be between {min} and {max}',
  'validation.confirmed': 'The two entries do not match',
  'validation.dateFormat': 'Enter a date as {format}',
  'validation.digits': 'Enter exactly {count, plural, one {# digit} other {# digits}}',
  'validation.decimal':
    '{places, plural, =0 {Decimals are not allowed} one {Enter a number with at most # decimal} other {Enter a number with at most # decimals}}',
  'validation.image': 'Choose a JPG, PNG or GIF image',
  'validation.fileType': 'Only {types} files are supported',
  'validation.fileSize': 'The file must not exceed {size}',
  'validation.loginName': 'Enter an e-mail address or an 11-digit mobile number',
  'validation.unknownLogin': 'Nobody who owns an account signs in with this',
  'validation.ownAccount': 'This is the account you are in',
  'validation.alreadyMember': 'This person works in the account already',
  'validation.allNetworks': 'Owners and admins see all networks',
  'validation.timeZone': 'This time zone is not known',
  'validation.bindingCode': 'This binding code is not right; copy it from the console again',
  'validation.csr': 'This is not a certificate request (PKCS#10 in PEM)',
  'validation.csrSignature': 'The signature of the certificate request does not fit',
  'validation.csrKey': 'The key of the certificate request must be P-256, P-384 or RSA of 2048 to 4096 bits',
  'validation.csrName': 'The CN of the certificate request must be the serial',
  'validation.hostAddress': 'Enter an address with its prefix, such as 192.168.1.1/24',
  'validation.prefix': 'The prefix must be from {min} to {max}',
  'validation.notMachine': '{address} cannot be the address of a machine in this subnet',
  'validation.subnetOverlap': '{subnet} overlaps the subnet of {name}',
  'validation.outsideSubnet': 'Must lie in {subnet}, without its first and last address',
  'validation.ownAddress': 'This is the gateway’s own address',
  'validation.poolTooLong': 'So many addresses go beyond {subnet}',
  'validation.poolHoldsOwn': 'The pool must not hold {address}, the gateway’s own address',
  'validation.leasesNeedPool': 'Fixed addresses need address assignment (DHCP) to be on',
  'validation.inNoLan': 'This address is in none of the LANs',
  'validation.portTaken': '{port} belongs to {name} already',
  'validation.ports': 'Enter a port such as 8080, or a range such as 8000-8010',
  'validation.portForwarded': 'Another rule forwards this port already',
  'validation.portReserved': 'UDP port {port} is how the gateway gets its own address',
  'validation.portSsh': 'TCP port {port} is the gateway’s own SSH, which answers on a line',
  'validation.portsDiffer': 'As many ports inside as outside',
  'validation.portsShifted': 'At most {max} ports can have other numbers inside',
  'validation.routeToOwn': 'The gateway is in this network itself',
  'validation.noNeighbour': 'Must be a machine in a LAN, or in the subnet of a line with a fixed address',
} as const satisfies Same<typeof source.validation>;

/** Texts of the business codes, one per name in codes.ts. */
export const codeTexts = {
  'code.success': 'Done',
  'code.passwordNotSet': 'This mobile number has no password yet. Set one first',
  'code.secondFactor': 'Enter the code of your authenticator app',
  'code.notSignedIn':
    '{by, select, token {This API token is wrong, has expired or was revoked. Make another} other {Your sign-in has ended. Sign in again}}',
  'code.wrongPassword': 'Wrong password',
  'code.wrongCode': 'The code is wrong or no longer valid',
  'code.accountUnknown': 'This account does not exist',
  'code.accountLocked': 'Too many wrong passwords. Try again in {minutes, plural, one {# minute} other {# minutes}}',
  'code.loginNameTaken': 'This mobile number or e-mail address is registered already',
  'code.registrationClosed': 'Registration is closed here. Ask the administrator',
  'code.smsQuota':
    'This mobile number has had its {limit, plural, one {# code} other {# codes}} for today. Try again tomorrow',
  'code.tokenUsed': 'This link has been used already',
  'code.tokenExpired': 'This link has expired. Request a new one',
  'code.confirmFirst': 'Confirm that it is you first',
  'code.mobileMismatch': 'This does not match the currently bound mobile number',
  'code.wrongSecondFactor': 'This code is wrong or has been used already',
  'code.passkeyUnknown': 'This passkey is not known here, or its answer does not hold',
  'code.lastOwner': 'An account needs an owner: make somebody else owner first',
  'code.accountClosed': 'This account has been locked by the administrator of the installation',
  'code.providerFailed': 'The provider did not take the message: {reason}',
  'code.noPermission': 'You do not have permission for this',
  'code.deviceOffline':
    '{action, select, save {An offline router cannot save its configuration} nobody {No device is there yet} other {The device is offline}}',
  'code.versionTooLow':
    '{feature, select, security {Cloud security needs firmware {need} or above} other {Routing version too low (needs {need} or above)}}',
  'code.changedMeanwhile': 'Someone changed this meanwhile. Refresh and try again',
  'code.nameExists': '{kind, select, template {Template name already exists} other {Name already exists}}',
  'code.limitReached': 'Limit reached: at most {limit}, {used} in use',
  'code.balanceInsufficient': 'Account balance insufficient',
  'code.orderUnknown': 'Order number does not exist',
  'code.inUse': 'It is in use and cannot be deleted',
  'code.subnetsOverlap': 'Subnets overlap. Check the subnets of the nodes',
  'code.tooLarge': 'Upload file size exceeded',
  'code.boundElsewhere': 'This device is bound to another account. Unbind it there first',
  'code.notFound': 'It does not exist or has been deleted',
  'code.unsupported': 'This device does not support it',
  'code.notUndoable': 'This operation cannot be undone',
  'code.deviceSilent': 'The device did not answer in time',
  'code.unauthorized':
    '{by, select, token {This API token is wrong, has expired or was revoked. Make another} other {Your sign-in has ended. Sign in again}}',
  'code.invalid': 'Some of the input is not valid. Check it and try again',
  'code.tooManyRequests':
    'Too many requests, please try again later ({seconds, plural, one {# second} other {# seconds}})',
  'code.internal': 'Request error occurred, please try again',
  'code.unavailable': 'The service is not available now. Try again later',
} as const satisfies Readonly<Record<`code.${CodeName}`, string>>;

/** Texts sent to people: `sms.<template>`, `mail.<template>.subject` and `mail.<template>.text`. */
export const letters = {
  'sms.registerCode':
    '[Yunxun] {code} is your registration code, valid for {minutes, plural, one {# minute} other {# minutes}}. Ignore this if it was not you.',
  'sms.signInCode':
    '[Yunxun] {code} is your sign-in code, valid for {minutes, plural, one {# minute} other {# minutes}}. Do not share it.',
  'sms.changeMobileCode':
    '[Yunxun] {code} is your code to change the mobile number, valid for {minutes, plural, one {# minute} other {# minutes}}. Not you? Change your password.',
  'sms.mobileChanged':
    '[Yunxun] Your account now signs in with the mobile {mobile}. Not you? Change your password at once.',
  'sms.resetCode':
    '[Yunxun] {code} is your code to reset the password, valid for {minutes, plural, one {# minute} other {# minutes}}. Ignore this if it was not you.',
  'sms.invitation': '[Yunxun] {inviter} invites you to work in {account}: {url}',
  'sms.test': '[Yunxun] This is a test message.',
  'sms.deviceReenrolled':
    '[Yunxun] Your device {device} enrolled again and its old certificate was revoked. Not you? Rotate your binding code.',
  'mail.registerCode.subject': 'Yunxun registration code {code}',
  'mail.registerCode.text':
    'Your registration code is {code}. It is valid for {minutes, plural, one {# minute} other {# minutes}}.\n\nIf it was not you, ignore this message.',
  'mail.changeEmailCode.subject': 'Yunxun code {code}',
  'mail.changeEmailCode.text':
    'Your code to bind this e-mail address is {code}. It is valid for {minutes, plural, one {# minute} other {# minutes}}.\n\nIf it was not you, ignore this message.',
  'mail.emailChanged.subject': 'The e-mail address of your Yunxun account was changed',
  'mail.emailChanged.text':
    'Your account now signs in with the e-mail address {email}.\n\nIf it was not you, change your password and end the other sessions in the console at once, or ask the administrator.',
  'mail.invitation.subject': '{inviter} invites you to {account}',
  'mail.invitation.text':
    '{inviter} invites you to work in {account} on Yunxun. Open this link within {days, plural, one {# day} other {# days}} and sign in or register:\n\n{url}\n\nIf you do not expect this, ignore this message.',
  'mail.test.subject': 'Test message of your Yunxun console',
  'mail.test.text': 'Mail leaves your Yunxun console as it should.',
  'mail.passwordReset.subject': 'Reset your Yunxun password',
  'mail.passwordReset.text':
    '{by, select, admin {The administrator of your Yunxun console has had this link sent to you. } other {}}Open this link to set a new password within {minutes, plural, one {# minute} other {# minutes}}:\n\n{url}\n\n{by, select, admin {Your sessions have been ended. Your old password works until you set a new one.} other {All other sessions will have to sign in again.}} API tokens go on working: delete those you no longer trust in the console.\n\n{by, select, admin {If you did not ask for it, ask the administrator.} other {If it was not you, ignore this message; your password stays as it is.}}',
  'mail.deviceReenrolled.subject': 'Device {device} enrolled again',
  'mail.deviceReenrolled.text':
    'Your device {device} (serial {serial}) has just enrolled again from {address}. Its old certificate was revoked.\n\nIf it was not you, rotate the binding code in the console and check the device.',
  'mail.setupLink.subject': 'Become the administrator of your Yunxun console',
  'mail.setupLink.text':
    'Open this link to set up the installation. Who opens it first becomes its administrator:\n\n{url}\n\nIt works once.',
} as const satisfies Same<typeof source.letters>;

/** Why a message was not delivered, where no provider said so: `delivery.<reason>`. */
export const deliveries = {
  'delivery.template_missing': 'No template code is set for this kind of SMS',
  'delivery.no_answer': 'The provider did not answer in time',
  'delivery.expired': 'It expired before it could be sent',
} as const satisfies Same<typeof source.deliveries>;

/** Lines in files that people download, and the heads of their columns: `column.<name>`. */
export const files = {
  'export.limited': 'Only the first {rows} rows are in this file. Narrow the filters to get the others',
  'column.time': 'Time',
  'column.seq': 'Number',
  'column.operator': 'Operator',
  'column.hosted': 'Hosted',
  'column.token': 'API token',
  'column.source': 'Source',
  'column.ip': 'IP address',
  'column.action': 'Action',
  'column.object_type': 'Object type',
  'column.object_id': 'Object ID',
  'column.object_name': 'Object',
  'column.gwid': 'Network ID',
  'column.result': 'Result',
  'column.before': 'Before',
  'column.after': 'After',
  'column.job_id': 'Job ID',
  'column.undoes': 'Undoes',
  'column.account': 'Account',
  'column.method': 'Method',
  'column.browser': 'Browser',
  'column.new_place': 'New place',
  'column.reason': 'Reason',
  'column.mac': 'MAC address',
  'column.random_mac': 'Random MAC',
  'column.online': 'Online',
  'column.hostname': 'Host name',
  'column.remark': 'Remark',
  'column.vip': 'VIP',
  'column.list': 'Blocked or allowed',
  'column.type': 'Type',
  'column.brand': 'Brand',
  'column.os': 'Operating system',
  'column.network': 'Network',
  'column.device': 'Access point or gateway',
  'column.band': 'Band',
  'column.rssi_dbm': 'Signal (dBm)',
  'column.session_since': 'Online since',
  'column.session_down_bytes': 'Session download (bytes)',
  'column.session_up_bytes': 'Session upload (bytes)',
  'column.today_bytes': 'Today (bytes)',
  'column.first_seen': 'First seen',
  'column.last_seen': 'Last seen',
  'column.ended_at': 'Until',
  'column.end_reason': 'Why it ended',
  'column.down_bytes': 'Download (bytes)',
  'column.up_bytes': 'Upload (bytes)',
  'column.rssi_mean_dbm': 'Mean signal (dBm)',
  'column.rssi_min_dbm': 'Weakest signal (dBm)',
} as const satisfies Same<typeof source.files>;

/** The English catalogue. */
export const en = { ...validation, ...codeTexts, ...letters, ...deliveries, ...files } as const;
