import * as v from 'valibot';
import { DeliveryError } from '../lib/delivery-error.ts';
import { postToGateway } from './http-gateway.ts';
import type { Sender, Sms } from './messages.ts';

export type TwilioSettings = {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the id of a messaging service (`MG…`). */
  from: string;
};

const refusal = v.object({ code: v.number() });

/** "Invalid 'To' number", "not a mobile number", "not a valid phone number" and similar codes in Twilio's error dictionary. */
const invalidNumberCodes = new Set([21211, 21214, 21217, 21401, 21421, 21614]);

/** Twilio discards a message that it cannot deliver within this time: a late code only confuses. */
const validitySeconds = 600;

/** Sends text messages through Twilio's Messages resource (API 2010-04-01), with plain HTTPS calls. */
export function createTwilioSms({ baseUrl, accountSid, authToken, from }: TwilioSettings): Sender<Sms> {
  const url = `${baseUrl.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    async send({ to, text }, signal) {
      const answer = await postToGateway({
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
        body: new URLSearchParams({
          To: to,
          [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
          Body: text,
          ValidityPeriod: String(validitySeconds),
        }).toString(),
        signal,
      });
      if (answer.status < 300) return;
      const code = v.is(refusal, answer.json) ? answer.json.code : undefined;
      throw new DeliveryError(
        code !== undefined && invalidNumberCodes.has(code) ? 'invalid-recipient' : 'refused',
        `Twilio answered ${answer.status}${code === undefined ? '' : ` with the code ${code}`}`,
      );
    },
  };
}
