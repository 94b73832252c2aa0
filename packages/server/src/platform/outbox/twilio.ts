import { type Adapter, DeliveryError } from './message.ts';
import { post, textOf } from './post.ts';
import { e164 } from './sms.ts';

export interface TwilioSettings {
  /** Account SID. */
  keyId: string;
  /** Auth token. */
  secret: string;
  /** E.164, or SID of a messaging service. */
  sender: string;
}

/** Errors that a retry cannot fix (https://www.twilio.com/docs/api/errors). */
const permanent = new Set([
  21211, // invalid number
  21602, // no text
  21610, // recipient has unsubscribed
  21614, // not a mobile number
  21617, // too long
]);

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export function twilioAdapter(settings: TwilioSettings, endpoint = 'https://api.twilio.com'): Adapter {
  const basic = Buffer.from(`${settings.keyId}:${settings.secret}`).toString('base64');
  return {
    async send({ to, text }) {
      const form = new URLSearchParams({ To: e164(to), Body: text });
      form.set(settings.sender.startsWith('MG') ? 'MessagingServiceSid' : 'From', settings.sender);
      const { status, body } = await post(
        `${endpoint}/2010-04-01/Accounts/${encodeURIComponent(settings.keyId)}/Messages.json`,
        { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        form.toString(),
      );
      if (status === 201) return [textOf(body.status), textOf(body.sid)].filter(Boolean).join(' ');
      const words = [textOf(body.code), textOf(body.message)].filter(Boolean).join(': ');
      throw new DeliveryError(words || `HTTP ${status}`, permanent.has(Number(body.code)));
    },
  };
}
