import { pageAddress } from '@anteroom/identity/http/page-addresses';
import type { MailContent, MailFrame } from '@anteroom/identity/messages/mail-layout';
import { accountChangedMail } from '@anteroom/identity/messages/account-changed-mail';
import { linkValidityMinutes } from '@anteroom/identity/recovery/link-limits';
import {
  writeInvitation,
  writePasswordLink,
  writeSignsInElsewhere,
  writeSiteNames,
} from '@anteroom/identity/recovery/mails/mails';

/** An e-mail with the product's texts and layout. */
interface MailPreview {
  id: string;
  name: string;
  write: (frame: MailFrame) => MailContent;
}

const service = 'https://id.example';
const receiver = { firstName: 'Ada', lastName: 'Lindqvist', userName: 'ada.lindqvist@northwind.example' };
const newPassword = {
  link: `${pageAddress(service, 'newPassword')}#token`,
  minutes: linkValidityMinutes,
};
const invitation = {
  link: `${pageAddress(service, 'newPassword', { invitation: 'true' })}#token`,
  until: new Date('2026-02-08T09:00:00Z'),
  timeZone: 'Europe/Berlin',
};
const sites = [
  { name: 'northwind', displayName: 'Northwind Holdings' },
  { name: 'harbor', displayName: 'Harbor Trust' },
];
const linkedSites = sites.map((site) => ({
  ...site,
  link: pageAddress(service, 'openSite', { site: site.name, client: 'director' }),
}));
const signInUrl = 'https://boards.example/';
const passwordChange = {
  userName: receiver.userName,
  at: new Date('2026-02-01T21:04:00Z'),
  timeZone: 'Europe/Berlin',
  browser: 'Chrome (Windows)',
  refusalLink: `${pageAddress(service, 'notMe')}#token`,
};

export const mails: readonly MailPreview[] = [
  {
    id: 'mail-invitation',
    name: 'invitation',
    write: (frame) => writeInvitation(receiver, invitation, frame),
  },
  {
    id: 'mail-password-link',
    name: 'link for a new password',
    write: (frame) => writePasswordLink(receiver, newPassword, frame),
  },
  {
    id: 'mail-signs-in-elsewhere',
    name: 'the organisation signs in',
    write: (frame) => writeSignsInElsewhere(receiver, frame),
  },
  {
    id: 'mail-site-names',
    name: 'site names',
    write: (frame) => writeSiteNames(receiver, { sites: linkedSites, signInUrl }, frame),
  },
  {
    id: 'mail-site-names-unlinked',
    name: 'site names, of no known application',
    write: (frame) => writeSiteNames(receiver, { sites, signInUrl: undefined }, frame),
  },
  {
    id: 'mail-site-names-none',
    name: 'site names, none found',
    write: (frame) => writeSiteNames(receiver, { sites: [], signInUrl }, frame),
  },
  {
    id: 'mail-password-changed',
    name: 'password changed',
    write: (frame) => accountChangedMail('password', passwordChange, frame),
  },
];
