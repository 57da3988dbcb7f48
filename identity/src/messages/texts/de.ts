import type { Texts } from '../texts.ts';

export const de: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} ist Ihr Anmeldecode. Er gilt ${minutes} Minuten. Geben Sie ihn an niemanden weiter.`
      : `${product}: ${code} ist Ihr Anmeldecode für ${site}. Er gilt ${minutes} Minuten. Geben Sie ihn an niemanden weiter.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Ihr Passwort wurde geändert',
        changed: 'Das Passwort Ihres Kontos wurde geändert. Überall sonst wurden Sie abgemeldet.',
      },
      appAdded: {
        subject: 'Eine Authenticator-App wurde eingerichtet',
        changed:
          'Für Ihr Konto wurde eine Authenticator-App eingerichtet. Ab jetzt wird bei der Anmeldung ihr Code verlangt.',
      },
      appRemoved: {
        subject: 'Ihre Authenticator-App wurde entfernt',
        changed:
          'Die Authenticator-App Ihres Kontos wurde von Ihrem Gremiensekretariat oder dessen Support entfernt. Sie wurden überall abgemeldet.',
      },
      passkeyAdded: {
        subject: 'Ein Passkey wurde hinzugefügt',
        changed:
          'Ihrem Konto wurde ein Passkey hinzugefügt. Damit können Sie sich ab jetzt ohne Passwort und Code anmelden.',
      },
      passkeyRemoved: {
        subject: 'Ihr Passkey wurde entfernt',
        changed:
          'Ein Passkey Ihres Kontos wurde entfernt. Damit ist keine Anmeldung mehr möglich, und überall sonst wurden Sie abgemeldet.',
      },
      ownAppRemoved: {
        subject: 'Ihre Authenticator-App wurde entfernt',
        changed:
          'Die Authenticator-App Ihres Kontos wurde mit ihren Wiederherstellungscodes entfernt. Überall sonst wurden Sie abgemeldet.',
      },
      recoveryCodeUsed: {
        subject: 'Ein Wiederherstellungscode wurde verwendet',
        changed: ({ left }) =>
          `Zur Anmeldung an Ihrem Konto wurde ein Wiederherstellungscode verwendet. Verbleibende Wiederherstellungscodes: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Nur noch wenige Wiederherstellungscodes',
        changed: ({ left }) =>
          `Zur Anmeldung an Ihrem Konto wurde ein Wiederherstellungscode verwendet. Verbleibende Wiederherstellungscodes: ${left}. Erstellen Sie auf Ihrer Kontoseite neue.`,
      },
      recoveryCodesMade: {
        subject: 'Neue Wiederherstellungscodes wurden erstellt',
        changed:
          'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
      },
    },
    account: 'Konto',
    time: 'Zeit',
    browser: 'Browser',
    unknownBrowser: 'nicht bekannt',
    wasYou: 'Wenn Sie das waren, müssen Sie nichts tun.',
    wasNotYou:
      'Wenn Sie es nicht waren, handeln Sie jetzt: Wir melden Ihr Konto überall ab und helfen Ihnen, ein neues Passwort festzulegen.',
    notMe: 'Das war ich nicht',
  },
  mailFrame: {
    organisation: ({ name }) => `Ihr Konto gehört zu: ${name}`,
    support: ({ url }) => `Brauchen Sie Hilfe? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Wählen Sie ein Passwort mit mindestens ${count} Zeichen.`,
    maximumLength: (count) => `Wählen Sie ein Passwort mit höchstens ${count} Zeichen.`,
    notCommon: 'Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.',
    notBreached: 'Dieses Passwort ist in einem bekannten Datenleck aufgetaucht. Wählen Sie ein anderes.',
    notContainsUserName: 'Wählen Sie ein Passwort, das nicht auf Ihrem Benutzernamen beruht.',
    notContainsSiteName: 'Wählen Sie ein Passwort, das nicht auf dem Namen des Portals beruht.',
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
};
