import type { RecoveryWords } from '../recovery-words.ts';

export const dutch: RecoveryWords = {
  greeting: 'Dag {{name}},',
  passwordLink: {
    subject: 'Uw link voor een nieuw wachtwoord',
    request:
      'Iemand, waarschijnlijk u, heeft een nieuw wachtwoord aangevraagd voor {{userName}}. Open deze link om er een te kiezen:',
    validity: 'De link werkt één keer en {{minutes}} minuten lang. Alleen de nieuwste link werkt.',
    notYou: 'Was u dit niet, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.',
    button: 'Nieuw wachtwoord kiezen',
  },
  invitation: {
    subject: 'Uw toegang tot uw besturen',
    request:
      'Er is een account voor u gemaakt met de gebruikersnaam {{userName}}. Kies een wachtwoord om te beginnen:',
    validity:
      'De link werkt één keer, tot {{until}}. Daarna kan het bestuurssecretariaat u een nieuwe sturen.',
    button: 'Wachtwoord kiezen',
  },
  signsInElsewhere: {
    subject: 'Inloggen via uw organisatie',
    request:
      'Iemand, waarschijnlijk u, heeft een nieuw wachtwoord aangevraagd voor {{userName}}. Uw organisatie logt u in, dus hier is geen wachtwoord van u.',
    help: 'Kunt u niet inloggen, neem dan contact op met uw IT-afdeling.',
  },
  siteNames: {
    subject: 'Uw sites',
    list: 'Dit zijn uw sites, elk met de naam die u bij het inloggen invoert:',
    none: 'U hoort op dit moment bij geen enkele site. Neem contact op met het bestuurssecretariaat.',
    signIn: 'Inloggen',
    notYou: 'Hebt u hier niet om gevraagd, dan hoeft u niets te doen.',
  },
};
