import { type Adapter, DeliveryError } from './message.ts';
import { post, textOf } from './post.ts';
import { e164 } from './sms.ts';

export interface TwilioSettings {
  /** The account SID. */
  keyId: string;
  /** The auth token. */
  secret: string;
  /** The number in E.164 that SMS come from, or the SID of a messaging service. */
  sender: string;
}

/** Refusals that the same message would only meet again (https://www.twilio.com/docs/api/errors). */
const permanent = new Set([
  21211, // the number is invalid
  21602, // no text
  21610, // the recipient has unsubscribed
  21614, // no mobile
  21617, // too long
]);

/** SMS by Twilio: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
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
