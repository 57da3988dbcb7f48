import type { RecoveryWords } from '../recovery-words.ts';

export const dutch: RecoveryWords = {
  greeting: 'Geachte {{name}},',
  passwordLink: {
    subject: 'Uw link voor een nieuw wachtwoord',
    request:
      'Iemand, waarschijnlijk u, heeft een nieuw wachtwoord aangevraagd voor {{userName}}. Open deze link om er een te kiezen:',
    validity: 'De link is {{minutes}} minuten en eenmalig geldig. Alleen de nieuwste link werkt.',
    notYou: 'Was u dit niet, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.',
    button: 'Nieuw wachtwoord kiezen',
  },
  invitation: {
    subject: 'Uw toegang tot uw besturen',
    request:
      'Er is een account voor u gemaakt met de gebruikersnaam {{userName}}. Kies een wachtwoord om te beginnen:',
    validity:
      'De link is eenmalig geldig, tot {{until}}. Daarna kan het bestuurssecretariaat u een nieuwe sturen.',
    button: 'Wachtwoord kiezen',
  },
  signsInElsewhere: {
    subject: 'Inloggen via uw organisatie',
    request:
      'Iemand, waarschijnlijk u, heeft een nieuw wachtwoord aangevraagd voor {{userName}}. U logt in via uw organisatie; u hebt hier geen wachtwoord.',
    help: 'Kunt u niet inloggen, neem dan contact op met uw IT-afdeling.',
  },
  siteNames: {
    subject: 'Uw portalen',
    list: 'Dit zijn de portalen waartoe u toegang hebt, elk met de naam die u bij het inloggen invoert:',
    none: 'U hebt op dit moment geen toegang tot een portaal. Neem contact op met het bestuurssecretariaat.',
    signIn: 'Inloggen',
    notYou: 'Hebt u hier niet om gevraagd, dan hoeft u niets te doen.',
  },
};
