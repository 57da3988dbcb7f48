import type { Texts } from './texts.ts';

export const nl: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} is uw inlogcode. De code is ${minutes} minuten geldig. Deel hem met niemand.`
      : `${product}: ${code} is uw inlogcode voor ${site}. De code is ${minutes} minuten geldig. Deel hem met niemand.`,
  codeMailSubject: 'Uw inlogcode',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: ${code} is de code om dit nummer voor uw account te bevestigen. De code is ${minutes} minuten geldig. Deel hem met niemand.`,
  numberGoneSms: ({ product }) =>
    `${product}: dit nummer ontvangt geen codes meer voor uw account. Hebt u dit niet zelf gewijzigd? Neem dan contact op met uw bestuurssecretariaat.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Uw wachtwoord is gewijzigd',
        changed: 'Het wachtwoord van uw account is gewijzigd. Overal elders bent u uitgelogd.',
      },
      appAdded: {
        subject: 'Er is een authenticator-app ingesteld',
        changed:
          'Voor uw account is een authenticator-app ingesteld. Vanaf nu wordt bij het inloggen om een code uit deze app gevraagd.',
      },
      appRemoved: {
        subject: 'Uw authenticator-app is verwijderd',
        changed:
          'De authenticator-app van uw account is verwijderd door uw bestuurssecretariaat of door support. U bent overal uitgelogd.',
      },
      passkeyAdded: {
        subject: 'Er is een passkey toegevoegd',
        changed:
          'Aan uw account is een passkey toegevoegd. U kunt daarmee nu inloggen zonder wachtwoord of code. Als u met uw wachtwoord inlogt, kunnen we om deze passkey vragen.',
      },
      passkeyRemoved: {
        subject: 'Uw passkey is verwijderd',
        changed:
          'Een passkey van uw account is verwijderd. Inloggen kan daarmee niet meer en u bent overal elders uitgelogd.',
      },
      passkeysRemoved: {
        subject: 'Uw passkeys zijn verwijderd',
        changed:
          'Alle passkeys van uw account zijn verwijderd door uw bestuurssecretariaat of door support. U bent overal uitgelogd.',
      },
      ownAppRemoved: {
        subject: 'Uw authenticator-app is verwijderd',
        changed:
          'De authenticator-app van uw account is samen met de herstelcodes verwijderd. Overal elders bent u uitgelogd.',
      },
      recoveryCodeUsed: {
        subject: 'Er is een herstelcode gebruikt',
        changed: ({ left }) =>
          `Er is een herstelcode gebruikt om op uw account in te loggen. Resterende herstelcodes: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Er zijn nog weinig herstelcodes over',
        changed: ({ left }) =>
          `Er is een herstelcode gebruikt om op uw account in te loggen. Resterende herstelcodes: ${left}. Maak nieuwe op uw accountpagina.`,
      },
      recoveryCodesMade: {
        subject: 'Er zijn nieuwe herstelcodes gemaakt',
        changed: 'Voor uw account zijn nieuwe herstelcodes gemaakt. De vorige werken niet meer.',
      },
      phoneNumberAdded: {
        subject: 'Er is een telefoonnummer toegevoegd',
        changed:
          'Aan uw account is een telefoonnummer voor inlogcodes toegevoegd. Overal elders bent u uitgelogd.',
      },
      phoneNumberChanged: {
        subject: 'Uw telefoonnummer is gewijzigd',
        changed: 'Het telefoonnummer voor uw inlogcodes is gewijzigd. Overal elders bent u uitgelogd.',
      },
      phoneNumberRemoved: {
        subject: 'Uw telefoonnummer is verwijderd',
        changed: 'Het telefoonnummer voor uw inlogcodes is verwijderd. Overal elders bent u uitgelogd.',
      },
      officeSetNumber: {
        subject: 'Uw telefoonnummer is gewijzigd',
        changed:
          'Het telefoonnummer voor uw inlogcodes is gewijzigd door uw bestuurssecretariaat of door support. U bent overal uitgelogd.',
      },
      officeRemovedNumber: {
        subject: 'Uw telefoonnummer is verwijderd',
        changed:
          'Het telefoonnummer voor uw inlogcodes is verwijderd door uw bestuurssecretariaat of door support. U bent overal uitgelogd.',
      },
      lostPhone: {
        subject: 'Inloggen met uw verloren telefoon is niet meer mogelijk',
        changed:
          'Uw verloren telefoon is door uw bestuurssecretariaat of door support uit uw account verwijderd: het nummer, de authenticator-app, de passkeys en de apparaten waarop geen code werd gevraagd. U bent overal uitgelogd.',
      },
    },
    account: 'Account',
    time: 'Tijdstip',
    browser: 'Browser',
    wasYou: 'Was u dit of verwachtte u het, dan hoeft u niets te doen.',
    wasNotYou:
      'Zo niet, onderneem dan meteen actie: wij loggen uw account overal uit en helpen u aan een nieuw wachtwoord.',
    notMe: 'Dit was ik niet',
  },
  mailFrame: {
    organisation: ({ name }) => `Uw account hoort bij: ${name}`,
    support: ({ url }) => `Hulp nodig? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Dit wachtwoord is te kort. Gebruik minstens ${count} tekens.`,
    maximumLength: (count) => `Dit wachtwoord is te lang. Gebruik maximaal ${count} tekens.`,
    notCommon: 'Dit wachtwoord is gemakkelijk te raden. Kies een ander.',
    notBreached: 'Dit wachtwoord is opgedoken in een bekend datalek. Kies een ander.',
    notContainsUserName: 'Dit wachtwoord is gebaseerd op uw gebruikersnaam. Kies een ander.',
    notContainsSiteName: 'Dit wachtwoord is gebaseerd op de naam van uw organisatie. Kies een ander.',
    notReused: 'U hebt dit wachtwoord al eerder gebruikt. Kies een ander.',
    minimumUppercase: (count) =>
      count === 1 ? 'Voeg een hoofdletter toe.' : `Gebruik minstens ${count} hoofdletters.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Voeg een kleine letter toe.' : `Gebruik minstens ${count} kleine letters.`,
    minimumDigits: (count) => (count === 1 ? 'Voeg een cijfer toe.' : `Gebruik minstens ${count} cijfers.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Voeg een speciaal teken toe.' : `Gebruik minstens ${count} speciale tekens.`,
    atLeast: (count) =>
      `Uw wachtwoord moet voldoen aan minstens ${count} van de regels over letters, cijfers en speciale tekens.`,
  },
  recoveryMails: {
    greeting: 'Geachte {{name}},',
    passwordLink: {
      subject: 'Uw link voor een nieuw wachtwoord',
      request:
        'Iemand, waarschijnlijk u, heeft een nieuw wachtwoord aangevraagd voor {{userName}}. Open deze link om er een te kiezen:',
      validity:
        'De link is {{minutes}} minuten geldig en kan één keer worden gebruikt. Alleen de nieuwste link werkt.',
      notYou:
        'Was u dit niet, dan hoeft u niets te doen: zolang deze link niet wordt gebruikt, verandert er niets.',
      button: 'Nieuw wachtwoord kiezen',
    },
    invitation: {
      subject: 'Uw toegang tot uw besturen',
      request:
        'Er is een account voor u aangemaakt met de gebruikersnaam {{userName}}. Kies een wachtwoord om te beginnen:',
      validity:
        'De link is geldig tot {{until}} en kan één keer worden gebruikt. Daarna kan uw bestuurssecretariaat u een nieuwe sturen.',
      notYou: 'Had u deze uitnodiging niet verwacht, dan hoeft u niets te doen.',
      button: 'Wachtwoord kiezen',
    },
    signsInElsewhere: {
      subject: 'Inloggen via uw organisatie',
      request:
        'Iemand, waarschijnlijk u, heeft een nieuw wachtwoord aangevraagd voor {{userName}}. U logt in via uw organisatie; u hebt hier geen wachtwoord.',
      help: 'Kunt u niet inloggen, neem dan contact op met uw IT-afdeling.',
    },
    siteNames: {
      subject: 'Uw portaalnamen',
      list: 'Dit zijn de besturen waartoe u toegang hebt, elk met de portaalnaam die u bij het inloggen invoert:',
      none: 'U hebt op dit moment geen toegang tot een bestuur. Neem contact op met het bestuurssecretariaat.',
      signIn: 'Inloggen',
      notYou: 'Hebt u hier niet om gevraagd, dan hoeft u niets te doen.',
    },
  },
  boardMails: {
    notExpected: 'Had u dit niet verwacht, neem dan contact op met uw bestuurssecretariaat of met support.',
    newBoard: {
      subject: 'U hebt toegang tot nog een bestuur',
      text: ({ site, userName }) =>
        `U hebt nu toegang tot ${site}. Log in met de gebruikersnaam ${userName}.`,
      button: 'Inloggen',
    },
    administratorAdded: {
      subject: 'Een nieuw lid van het bestuurssecretariaat',
      text: ({ person, site }) => `${person} kan nu de personen van ${site} beheren.`,
    },
    administratorRemoved: {
      subject: 'Een lid heeft het bestuurssecretariaat verlaten',
      text: ({ person, site }) => `${person} kan de personen van ${site} niet meer beheren.`,
    },
    addressChanged: {
      subject: 'Uw e-mailadres is gewijzigd',
      text: ({ userName }) =>
        `Het e-mailadres van het account ${userName} is gewijzigd door uw bestuurssecretariaat of door support. Berichten over dit account komen niet meer op dit adres aan.`,
    },
  },
  tooMuchDataPage: {
    title: 'Deze pagina kan niet worden geopend',
    text: 'Uw browser verstuurt meer gegevens dan wij kunnen aannemen. Verwijder in de instellingen van uw browser de cookies van deze pagina en probeer het opnieuw.',
  },
  forwardingPage: {
    title: 'Een ogenblik',
    toSignIn:
      'U wordt doorgestuurd naar de inlogdienst van uw organisatie. Blijft deze pagina open, kies dan ‘Doorgaan’.',
    toApplication:
      'U wordt teruggestuurd naar uw bestuursportaal. Blijft deze pagina open, kies dan ‘Doorgaan’.',
    button: 'Doorgaan',
  },
};
