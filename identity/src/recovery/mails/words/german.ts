import type { RecoveryWords } from '../recovery-words.ts';

export const german: RecoveryWords = {
  greeting: 'Guten Tag {{name}},',
  passwordLink: {
    subject: 'Ihr Link für ein neues Passwort',
    request:
      'jemand, vermutlich Sie, hat ein neues Passwort für {{userName}} angefordert. Öffnen Sie diesen Link, um eines zu wählen:',
    validity: 'Der Link ist {{minutes}} Minuten gültig und nur einmal verwendbar. Nur der neueste Link gilt.',
    notYou: 'Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
    button: 'Neues Passwort wählen',
  },
  invitation: {
    subject: 'Ihr Zugang zu Ihren Gremien',
    request:
      'für Sie wurde ein Konto mit dem Benutzernamen {{userName}} eingerichtet. Wählen Sie zunächst ein Passwort:',
    validity:
      'Der Link ist bis {{until}} gültig und nur einmal verwendbar. Danach kann Ihnen Ihr Gremiensekretariat einen neuen senden.',
    button: 'Passwort wählen',
  },
  signsInElsewhere: {
    subject: 'Ihre Anmeldung',
    request:
      'jemand, vermutlich Sie, hat ein neues Passwort für {{userName}} angefordert. Sie melden sich über Ihre Organisation an; hier ist kein Passwort hinterlegt.',
    help: 'Wenn Sie sich nicht anmelden können, wenden Sie sich an Ihre IT-Abteilung.',
  },
  siteNames: {
    subject: 'Ihre Portale',
    list: 'auf diese Portale haben Sie Zugriff, jeweils mit dem Namen, den Sie bei der Anmeldung eingeben:',
    none: 'Sie haben zurzeit auf kein Portal Zugriff. Wenden Sie sich an Ihr Gremiensekretariat.',
    signIn: 'Anmelden',
    notYou: 'Wenn Sie dies nicht angefordert haben, müssen Sie nichts tun.',
  },
};
