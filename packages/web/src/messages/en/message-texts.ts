import type { messageTexts as source } from '../zh-cn/message-texts.ts';

/** Subjects and texts of inbox messages, except those of billing. */
export const messageTexts: Record<keyof typeof source, string> = {
  'message.deviceReenrolled.title': 'Device {serial} enrolled again',
  'message.deviceReenrolled.body':
    'Device {serial} has just enrolled in this account again, from {address}. Its old certificate was revoked. If it was not you, rotate the binding code and check the device.',
  'message.enrolmentWaits.title': 'Device {serial} asks to enrol again',
  'message.enrolmentWaits.body':
    'A request from {address} knows the binding code and names device {serial}, but has no proof by the device’s old key. Allow it under Waiting devices if you reset or replaced this device. Otherwise refuse it and replace the binding code.',
  'message.certificateShared.title': 'Two devices show the certificate of {serial}',
  'message.certificateShared.body':
    'A device at {first} and one at {second} took over each other’s session in turn. The first device keeps the session; the second is refused. Run the enrolment command on the device that does not belong here, or choose on the device’s page.',
  'message.serialClaimed.title': 'Device {serial} is to move to another account',
  'message.serialClaimed.body':
    'The administrator of this installation wants to move device {serial} to another account: {reason}. If it is yours, object under Waiting devices within {hours} hours. Otherwise it is unbound from this account then.',
  'message.serialAwaited.title': 'Device {serial} is to move to this account',
  'message.serialAwaited.body':
    'The administrator of this installation moves device {serial} here unless the account that holds it objects within {hours} hours.',
  'message.serialMoved.title': 'Device {serial} was moved away',
  'message.serialMoved.body':
    'The administrator of this installation has unbound device {serial} from this account: {reason}. Its certificates were revoked.',
  'message.serialGiven.title': 'Device {serial} belongs to this account',
  'message.serialGiven.body':
    'The administrator of this installation has moved device {serial} to this account. Run the enrolment command on it; the way is under Waiting devices.',
  'message.serialObjected.title': 'Objection to the move of device {serial}',
  'message.serialObjected.body': 'The account that holds device {serial} objected: {reason}. The device stays there.',
  'message.serialWithdrawn.title': 'Move of device {serial} withdrawn',
  'message.serialWithdrawn.body':
    'The administrator of this installation has withdrawn the move of device {serial}: {reason}. The device stays in the account that holds it.',
  'message.serialTaken.title': 'Device {serial} was proven by another account',
  'message.serialTaken.body':
    'Another account enrolled device {serial} with its factory certificate, which this account had not shown. The device was unbound here and its certificates were revoked. If it is yours, ask the administrator of this installation.',
  'message.serialProven.title': 'Device {serial} was bound elsewhere until now',
  'message.serialProven.body':
    'Device {serial} enrolled in this account with its factory certificate. Another account had bound it without that; its certificates were revoked.',
  'message.newPlace.title': 'Sign-in from a new place',
  'message.newPlace.body':
    'Your account has just been signed in to from {ip} with {browser}, which had not been used for 90 days. If it was not you, change your password at once and end the other sessions.',
  'message.passwordChanged.title': 'Password changed',
  'message.passwordChanged.body':
    'Your password has just been changed, and the other sessions have ended. If it was not you, reset it at once.',
  'message.passwordReset.title': 'Password reset',
  'message.passwordReset.body':
    'Your password has just been reset by a link, and the other sessions have ended. If it was not you, reset it again at once.',
  'message.passwordResetSent.title': 'An administrator had a password reset sent to you',
  'message.passwordResetSent.body':
    'The administrator of this installation had a link or a code for a new password sent to you, and all your sessions ended. If you did not ask for this, tell the administrator.',
  'message.withdrawalPasswordChanged.title': 'Withdrawal password changed',
  'message.withdrawalPasswordChanged.body':
    'Your withdrawal password has just been changed. If it was not you, change your password and the withdrawal password at once.',
  'message.mobileChanged.title': 'Mobile changed',
  'message.mobileChanged.body':
    'Your account is now bound to mobile {mobile}. If it was not you, change your password at once and tell your administrator.',
  'message.emailChanged.title': 'E-mail address changed',
  'message.emailChanged.body':
    'Your account is now bound to the e-mail address {email}. If it was not you, change your password at once and tell your administrator.',
  'message.secondFactorOn.title': 'Two-step verification is on',
  'message.secondFactorOn.body':
    'Signing in now takes your password and a code of your authenticator app. Keep the recovery codes in a safe place.',
  'message.secondFactorOff.title': 'Two-step verification is off',
  'message.secondFactorOff.body':
    'Signing in no longer takes a code of your authenticator app. If it was not you, change your password at once and switch it on again.',
  'message.secondFactorReset.title': 'An administrator switched two-step verification off',
  'message.secondFactorReset.body':
    'The administrator of this installation switched your two-step verification off, and all your sessions ended. Sign in and switch it on again; if you did not ask for this, tell the administrator.',
  'message.recoveryCodesRenewed.title': 'Recovery codes replaced',
  'message.recoveryCodesRenewed.body':
    'There are new recovery codes; the old ones no longer work. If it was not you, change your password at once.',
  'message.passkeyAdded.title': 'Passkey “{name}” added',
  'message.passkeyAdded.body':
    'Passkey “{name}” can now sign in to your account. If it was not you, delete it at once and change your password.',
  'message.passkeyDeleted.title': 'Passkey “{name}” deleted',
  'message.passkeyDeleted.body': 'Passkey “{name}” can no longer sign in to your account.',
  'message.tokenCreated.title': 'API token “{name}” made',
  'message.tokenCreated.body':
    'Programs with the token “{name}” can call the API in your name. If it was not you, revoke it at once and change your password.',
  'message.invitation.title': '{inviter} invites you to {account}',
  'message.invitation.body':
    '{inviter} invites you to work in {account}. Open the invitation within {days, plural, one {# day} other {# days}}; afterwards you switch accounts at the top right.',
  'message.memberJoined.title': '{person} joined the account',
  'message.memberJoined.body': '{person} accepted the invitation and is now a member of this account.',
  'message.memberLeft.title': '{person} left the account',
  'message.memberLeft.body': '{person} is no longer a member of this account.',
  'message.memberChanged.title': 'Your rights in {account} changed',
  'message.memberChanged.body': 'Your role or your networks in {account} were changed, effective at once.',
  'message.memberRemoved.title': 'You are no longer a member of {account}',
  'message.memberRemoved.body': 'An administrator of {account} removed you from the account.',
  'message.wifiPasswordChanged.title': 'The Wi-Fi password of {ssid} has changed',
  'message.wifiPasswordChanged.body':
    'The rule {name} has changed it. People with the permission find it under AC dynamic passwords.',
  'message.siteSilenceEnded.title': 'Alarms of {network} are no longer silenced',
  'message.siteSilenceEnded.body': 'The silence of {network} has ended. Alarms that still last are notified again.',
  'message.remoteOpened.title': '{person} opened remote access to {target}',
  'message.remoteOpened.body':
    '{person} has just opened a remote session on {target}, for this purpose: {purpose}. You can end it under Remote access.',
  'message.remoteLinkOpened.title': '{guest} opened remote access to {target}',
  'message.remoteLinkOpened.body':
    '{guest} has just used the link that {person} made for {target}, for this purpose: {purpose}. You can end the session or revoke the link under Remote access.',
  'message.alarmNotice.title': '{subject}',
  'message.alarmNotice.body': '{text}',
  'message.hostingGranted.title': '{account} hosts networks to you',
  'message.hostingGranted.body':
    '{by} hosted networks of {account} to this account. You can switch to that account at the top right.',
  'message.hostingChanged.title': '{account} changed its hosting',
  'message.hostingChanged.body':
    '{by} changed the networks or permissions that {account} hosts to this account, effective at once.',
  'message.hostingRevoked.title': 'Hosting with {account} has ended',
  'message.hostingRevoked.body': '{by} ended the hosting between this account and {account}, effective at once.',
};
