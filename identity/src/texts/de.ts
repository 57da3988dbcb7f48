import type { Texts } from './texts.ts';

export const de: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} ist Ihr Anmeldecode. Er gilt ${minutes} Minuten. Geben Sie ihn an niemanden weiter.`
      : `${product}: ${code} ist Ihr Anmeldecode für ${site}. Er gilt ${minutes} Minuten. Geben Sie ihn an niemanden weiter.`,
  codeMailSubject: 'Ihr Anmeldecode',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: ${code} ist Ihr Code zur Bestätigung dieser Telefonnummer. Er gilt ${minutes} Minuten. Geben Sie ihn an niemanden weiter.`,
  numberGoneSms: ({ product }) =>
    `${product}: Diese Nummer erhält keine Codes für Ihr Konto mehr. Wenn Sie das nicht veranlasst haben, wenden Sie sich an Ihr Gremiensekretariat.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Ihr Passwort wurde geändert',
        changed: 'Das Passwort Ihres Kontos wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.',
      },
      appAdded: {
        subject: 'Eine Authenticator-App wurde eingerichtet',
        changed:
          'Für Ihr Konto wurde eine Authenticator-App eingerichtet. Ab jetzt wird bei der Anmeldung ein Code aus dieser App verlangt.',
      },
      appRemoved: {
        subject: 'Ihre Authenticator-App wurde entfernt',
        changed:
          'Die Authenticator-App Ihres Kontos wurde von Ihrem Gremiensekretariat oder vom Support entfernt. Sie wurden überall abgemeldet.',
      },
      passkeyAdded: {
        subject: 'Ein Passkey wurde hinzugefügt',
        changed:
          'Ihrem Konto wurde ein Passkey hinzugefügt. Damit können Sie sich ab jetzt ohne Passwort und Code anmelden. Wenn Sie sich mit dem Passwort anmelden, fragen wir unter Umständen nach diesem Passkey.',
      },
      passkeyRemoved: {
        subject: 'Ihr Passkey wurde entfernt',
        changed:
          'Ein Passkey Ihres Kontos wurde entfernt. Damit ist keine Anmeldung mehr möglich, und auf allen anderen Geräten wurden Sie abgemeldet.',
      },
      passkeysRemoved: {
        subject: 'Ihre Passkeys wurden entfernt',
        changed:
          'Alle Passkeys Ihres Kontos wurden von Ihrem Gremiensekretariat oder vom Support entfernt. Sie wurden überall abgemeldet.',
      },
      ownAppRemoved: {
        subject: 'Ihre Authenticator-App wurde entfernt',
        changed:
          'Die Authenticator-App Ihres Kontos wurde zusammen mit ihren Wiederherstellungscodes entfernt. Auf allen anderen Geräten wurden Sie abgemeldet.',
      },
      recoveryCodeUsed: {
        subject: 'Ein Wiederherstellungscode wurde verwendet',
        changed: ({ left }) =>
          `Zur Anmeldung bei Ihrem Konto wurde ein Wiederherstellungscode verwendet. Verbleibende Wiederherstellungscodes: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Nur noch wenige Wiederherstellungscodes',
        changed: ({ left }) =>
          `Zur Anmeldung bei Ihrem Konto wurde ein Wiederherstellungscode verwendet. Verbleibende Wiederherstellungscodes: ${left}. Erstellen Sie auf Ihrer Kontoseite neue.`,
      },
      recoveryCodesMade: {
        subject: 'Neue Wiederherstellungscodes wurden erstellt',
        changed:
          'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
      },
      phoneNumberAdded: {
        subject: 'Eine Telefonnummer wurde hinzugefügt',
        changed:
          'Ihrem Konto wurde eine Telefonnummer für Anmeldecodes hinzugefügt. Auf allen anderen Geräten wurden Sie abgemeldet.',
      },
      phoneNumberChanged: {
        subject: 'Ihre Telefonnummer wurde geändert',
        changed:
          'Die Telefonnummer, an die Ihre Anmeldecodes gehen, wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.',
      },
      phoneNumberRemoved: {
        subject: 'Ihre Telefonnummer wurde entfernt',
        changed:
          'Die Telefonnummer für Anmeldecodes wurde aus Ihrem Konto entfernt. Auf allen anderen Geräten wurden Sie abgemeldet.',
      },
      officeSetNumber: {
        subject: 'Ihre Telefonnummer wurde geändert',
        changed:
          'Die Telefonnummer, an die Ihre Anmeldecodes gehen, wurde von Ihrem Gremiensekretariat oder vom Support geändert. Sie wurden überall abgemeldet.',
      },
      officeRemovedNumber: {
        subject: 'Ihre Telefonnummer wurde entfernt',
        changed:
          'Die Telefonnummer für Anmeldecodes wurde von Ihrem Gremiensekretariat oder vom Support aus Ihrem Konto entfernt. Sie wurden überall abgemeldet.',
      },
      lostPhone: {
        subject: 'Mit Ihrem verlorenen Telefon ist keine Anmeldung mehr möglich',
        changed:
          'Ihr verlorenes Telefon wurde von Ihrem Gremiensekretariat oder vom Support aus Ihrem Konto entfernt: die Nummer, die Authenticator-App, die Passkeys und die Geräte, auf denen kein Code verlangt wurde. Sie wurden überall abgemeldet.',
      },
    },
    account: 'Konto',
    time: 'Zeitpunkt',
    browser: 'Browser',
    wasYou: 'Wenn Sie das selbst waren oder damit gerechnet haben, müssen Sie nichts tun.',
    wasNotYou:
      'Wenn nicht, handeln Sie jetzt: Wir beenden alle Anmeldungen bei Ihrem Konto und helfen Ihnen, ein neues Passwort festzulegen.',
    notMe: 'Das war ich nicht',
  },
  mailFrame: {
    organisation: ({ name }) => `Ihr Konto gehört zu: ${name}`,
    support: ({ url }) => `Brauchen Sie Hilfe? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Dieses Passwort ist zu kurz. Verwenden Sie mindestens ${count} Zeichen.`,
    maximumLength: (count) => `Dieses Passwort ist zu lang. Verwenden Sie höchstens ${count} Zeichen.`,
    notCommon: 'Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.',
    notBreached: 'Dieses Passwort ist in einem bekannten Datenleck aufgetaucht. Wählen Sie ein anderes.',
    notContainsUserName: 'Dieses Passwort ist aus Ihrem Benutzernamen gebildet. Wählen Sie ein anderes.',
    notContainsSiteName:
      'Dieses Passwort ist aus dem Namen Ihrer Organisation gebildet. Wählen Sie ein anderes.',
    notReused: 'Dieses Passwort haben Sie schon verwendet. Wählen Sie ein anderes.',
    minimumUppercase: (count) =>
      count === 1
        ? 'Fügen Sie einen Großbuchstaben hinzu.'
        : `Verwenden Sie mindestens ${count} Großbuchstaben.`,
    minimumLowercase: (count) =>
      count === 1
        ? 'Fügen Sie einen Kleinbuchstaben hinzu.'
        : `Verwenden Sie mindestens ${count} Kleinbuchstaben.`,
    minimumDigits: (count) =>
      count === 1 ? 'Fügen Sie eine Ziffer hinzu.' : `Verwenden Sie mindestens ${count} Ziffern.`,
    minimumSpecial: (count) =>
      count === 1 ? 'Fügen Sie ein Sonderzeichen hinzu.' : `Verwenden Sie mindestens ${count} Sonderzeichen.`,
    atLeast: (count) =>
      `Ihr Passwort muss mindestens ${count} der Regeln zu Buchstaben, Ziffern und Sonderzeichen erfüllen.`,
  },
  recoveryMails: {
    greeting: 'Guten Tag {{name}},',
    passwordLink: {
      subject: 'Ihr Link für ein neues Passwort',
      request:
        'jemand, vermutlich Sie, hat ein neues Passwort für {{userName}} angefordert. Öffnen Sie diesen Link, um eines zu wählen:',
      validity:
        'Der Link ist {{minutes}} Minuten gültig und nur einmal verwendbar. Nur der neueste Link gilt.',
      notYou:
        'Wenn Sie es nicht waren, müssen Sie nichts tun: Solange dieser Link nicht verwendet wird, ändert sich nichts.',
      button: 'Neues Passwort wählen',
    },
    invitation: {
      subject: 'Ihr Zugang zu Ihren Gremien',
      request:
        'für Sie wurde ein Konto mit dem Benutzernamen {{userName}} eingerichtet. Wählen Sie zunächst ein Passwort:',
      validity:
        'Der Link ist bis {{until}} gültig und nur einmal verwendbar. Danach kann Ihnen Ihr Gremiensekretariat einen neuen senden.',
      notYou: 'Wenn Sie diese Einladung nicht erwartet haben, müssen Sie nichts tun.',
      button: 'Passwort wählen',
    },
    signsInElsewhere: {
      subject: 'Ihre Anmeldung',
      request:
        'jemand, vermutlich Sie, hat ein neues Passwort für {{userName}} angefordert. Sie melden sich über Ihre Organisation an; hier ist kein Passwort hinterlegt.',
      help: 'Wenn Sie sich nicht anmelden können, wenden Sie sich an Ihre IT-Abteilung.',
    },
    siteNames: {
      subject: 'Ihre Portalnamen',
      list: 'zu diesen Gremien haben Sie Zugang, jeweils mit dem Portalnamen, den Sie bei der Anmeldung eingeben:',
      none: 'Sie haben zurzeit zu keinem Gremium Zugang. Wenden Sie sich an Ihr Gremiensekretariat.',
      signIn: 'Anmelden',
      notYou: 'Wenn Sie dies nicht angefordert haben, müssen Sie nichts tun.',
    },
  },
  boardMails: {
    notExpected:
      'Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihr Gremiensekretariat oder an den Support.',
    newBoard: {
      subject: 'Sie haben Zugang zu einem weiteren Gremium',
      text: ({ site, userName }) =>
        `Sie haben jetzt Zugang zu ${site}. Melden Sie sich mit dem Benutzernamen ${userName} an.`,
      button: 'Anmelden',
    },
    administratorAdded: {
      subject: 'Ein neues Mitglied im Gremiensekretariat',
      text: ({ person, site }) => `${person} kann jetzt die Personen von ${site} verwalten.`,
    },
    administratorRemoved: {
      subject: 'Ein Mitglied hat das Gremiensekretariat verlassen',
      text: ({ person, site }) => `${person} kann die Personen von ${site} nicht mehr verwalten.`,
    },
    addressChanged: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: ({ userName }) =>
        `Die E-Mail-Adresse des Kontos ${userName} wurde von Ihrem Gremiensekretariat oder vom Support geändert. Nachrichten zu diesem Konto gehen nicht mehr an diese Adresse.`,
    },
  },
  tooMuchDataPage: {
    title: 'Diese Seite kann nicht geöffnet werden',
    text: 'Ihr Browser sendet mehr Daten, als wir annehmen können. Löschen Sie in den Einstellungen Ihres Browsers die Cookies dieser Seite und versuchen Sie es erneut.',
  },
  forwardingPage: {
    title: 'Einen Moment',
    toSignIn:
      'Sie werden zum Anmeldedienst Ihrer Organisation weitergeleitet. Wenn diese Seite geöffnet bleibt, wählen Sie „Weiter“.',
    toApplication:
      'Sie werden zu Ihrem Gremienportal zurückgeleitet. Wenn diese Seite geöffnet bleibt, wählen Sie „Weiter“.',
    button: 'Weiter',
  },
};
