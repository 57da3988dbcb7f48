import type { Texts } from './texts.ts';

export const it: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} è il suo codice di accesso. Vale ${minutes} minuti. Non lo comunichi a nessuno.`
      : `${product}: ${code} è il suo codice di accesso per ${site}. Vale ${minutes} minuti. Non lo comunichi a nessuno.`,
  codeMailSubject: 'Il suo codice di accesso',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: ${code} è il codice per confermare questo numero per il suo account. Vale ${minutes} minuti. Non lo comunichi a nessuno.`,
  numberGoneSms: ({ product }) =>
    `${product}: questo numero non riceve più i codici del suo account. Se non lo ha chiesto lei, avvisi la segreteria del consiglio.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'La sua password è stata modificata',
        changed: 'La password del suo account è stata modificata. Tutte le altre sessioni sono state chiuse.',
      },
      appAdded: {
        subject: 'È stata configurata un’app di autenticazione',
        changed:
          'Per il suo account è stata configurata un’app di autenticazione. D’ora in poi all’accesso verrà chiesto il suo codice.',
      },
      appRemoved: {
        subject: 'La sua app di autenticazione è stata rimossa',
        changed:
          'L’app di autenticazione del suo account è stata rimossa dalla segreteria del consiglio o dall’assistenza. Tutte le sue sessioni sono state chiuse.',
      },
      passkeyAdded: {
        subject: 'È stata aggiunta una passkey',
        changed:
          'Al suo account è stata aggiunta una passkey. Ora può usarla per accedere, senza password e senza codice. Se accede con la password, potremmo chiederle questa passkey.',
      },
      passkeyRemoved: {
        subject: 'La sua passkey è stata rimossa',
        changed:
          'Una passkey del suo account è stata rimossa. Non permette più di accedere, e tutte le altre sessioni sono state chiuse.',
      },
      passkeysRemoved: {
        subject: 'Le sue passkey sono state rimosse',
        changed:
          'Tutte le passkey del suo account sono state rimosse dalla segreteria del consiglio o dall’assistenza. Tutte le sue sessioni sono state chiuse.',
      },
      ownAppRemoved: {
        subject: 'La sua app di autenticazione è stata rimossa',
        changed:
          'L’app di autenticazione del suo account è stata rimossa, con i suoi codici di recupero. Tutte le altre sessioni sono state chiuse.',
      },
      recoveryCodeUsed: {
        subject: 'È stato usato un codice di recupero',
        changed: ({ left }) =>
          `Per accedere al suo account è stato usato un codice di recupero. Codici di recupero rimasti: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Restano pochi codici di recupero',
        changed: ({ left }) =>
          `Per accedere al suo account è stato usato un codice di recupero. Codici di recupero rimasti: ${left}. Ne crei di nuovi nella pagina del suo account.`,
      },
      recoveryCodesMade: {
        subject: 'Sono stati creati nuovi codici di recupero',
        changed:
          'Per il suo account sono stati creati nuovi codici di recupero. Quelli precedenti non sono più validi.',
      },
      phoneNumberAdded: {
        subject: 'È stato aggiunto un numero di telefono',
        changed:
          'Al suo account è stato aggiunto un numero di telefono per i codici di accesso. Tutte le altre sessioni sono state chiuse.',
      },
      phoneNumberChanged: {
        subject: 'Il suo numero di telefono è stato modificato',
        changed:
          'Il numero di telefono per i suoi codici di accesso è stato modificato. Tutte le altre sessioni sono state chiuse.',
      },
      phoneNumberRemoved: {
        subject: 'Il suo numero di telefono è stato rimosso',
        changed:
          'Il numero di telefono per i suoi codici di accesso è stato rimosso. Tutte le altre sessioni sono state chiuse.',
      },
      officeSetNumber: {
        subject: 'Il suo numero di telefono è stato modificato',
        changed:
          'Il numero di telefono per i suoi codici di accesso è stato modificato dalla segreteria del consiglio o dall’assistenza. Tutte le sue sessioni sono state chiuse.',
      },
      officeRemovedNumber: {
        subject: 'Il suo numero di telefono è stato rimosso',
        changed:
          'Il numero di telefono per i suoi codici di accesso è stato rimosso dalla segreteria del consiglio o dall’assistenza. Tutte le sue sessioni sono state chiuse.',
      },
      lostPhone: {
        subject: 'Il suo telefono smarrito non permette più di accedere',
        changed:
          'La segreteria del consiglio o l’assistenza ha rimosso dal suo account il telefono smarrito: il numero, l’app di autenticazione, le passkey e i dispositivi su cui non veniva chiesto un codice. Tutte le sue sessioni sono state chiuse.',
      },
    },
    account: 'Account',
    time: 'Data e ora',
    browser: 'Browser',
    wasYou: 'Se l’operazione è sua o se l’aspettava, non deve fare nulla.',
    wasNotYou:
      'In caso contrario, agisca subito: chiuderemo tutte le sessioni del suo account e la aiuteremo a scegliere una nuova password.',
    notMe: 'Non l’ho fatto io',
  },
  mailFrame: {
    organisation: ({ name }) => `Il suo account appartiene a: ${name}`,
    support: ({ url }) => `Serve aiuto? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Questa password è troppo corta. Usi almeno ${count} caratteri.`,
    maximumLength: (count) => `Questa password è troppo lunga. Usi al massimo ${count} caratteri.`,
    notCommon: 'Questa password è facile da indovinare. Ne scelga un’altra.',
    notBreached: 'Questa password è apparsa in una fuga di dati nota. Ne scelga un’altra.',
    notContainsUserName: 'Questa password si basa sul suo nome utente. Ne scelga un’altra.',
    notContainsSiteName: 'Questa password si basa sul nome della sua organizzazione. Ne scelga un’altra.',
    notReused: 'Ha già usato questa password. Ne scelga un’altra.',
    minimumUppercase: (count) =>
      count === 1 ? 'Aggiunga una lettera maiuscola.' : `Usi almeno ${count} lettere maiuscole.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Aggiunga una lettera minuscola.' : `Usi almeno ${count} lettere minuscole.`,
    minimumDigits: (count) => (count === 1 ? 'Aggiunga una cifra.' : `Usi almeno ${count} cifre.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Aggiunga un carattere speciale.' : `Usi almeno ${count} caratteri speciali.`,
    atLeast: (count) =>
      `La sua password deve soddisfare almeno ${count} delle condizioni su lettere, cifre e caratteri speciali.`,
  },
  recoveryMails: {
    greeting: 'Buongiorno {{name}},',
    passwordLink: {
      subject: 'Il suo link per una nuova password',
      request:
        'Qualcuno, probabilmente lei, ha richiesto una nuova password per {{userName}}. Apra questo link per sceglierla:',
      validity: 'Il link vale una volta sola e per {{minutes}} minuti. Vale solo il link più recente.',
      notYou:
        'Se non l’ha richiesta lei, non deve fare nulla: finché questo link non viene usato, non cambia nulla.',
      button: 'Scegli una nuova password',
    },
    invitation: {
      subject: 'Il suo accesso ai consigli di amministrazione',
      request:
        'È stato creato per lei un account con il nome utente {{userName}}. Per iniziare scelga una password:',
      validity:
        'Il link vale una volta sola. Scadenza: {{until}}. In seguito la segreteria del consiglio può inviargliene uno nuovo.',
      notYou: 'Se non si aspettava questo invito, non deve fare nulla.',
      button: 'Scegli una password',
    },
    signsInElsewhere: {
      subject: 'Il suo accesso',
      request:
        'Qualcuno, probabilmente lei, ha richiesto una nuova password per {{userName}}. Lei accede tramite la sua organizzazione, quindi qui non ha una password.',
      help: 'Se non riesce ad accedere, si rivolga al suo reparto informatico.',
    },
    siteNames: {
      subject: 'I nomi dei suoi portali',
      list: 'Questi sono i consigli di amministrazione a cui ha accesso, ciascuno con il nome del portale da inserire all’accesso:',
      none: 'Al momento non ha accesso ad alcun consiglio di amministrazione. Si rivolga alla segreteria del consiglio.',
      signIn: 'Accedi',
      notYou: 'Se non ha richiesto questo messaggio, non deve fare nulla.',
    },
  },
  boardMails: {
    notExpected: 'Se non se lo aspettava, contatti la segreteria del consiglio o l’assistenza.',
    newBoard: {
      subject: 'Ora ha accesso a un altro consiglio di amministrazione',
      text: ({ site, userName }) => `Ora ha accesso a ${site}. Acceda con il nome utente ${userName}.`,
      button: 'Accedi',
    },
    administratorAdded: {
      subject: 'Un nuovo membro della segreteria del consiglio',
      text: ({ person, site }) => `${person} ora può gestire le persone di ${site}.`,
    },
    administratorRemoved: {
      subject: 'Un membro ha lasciato la segreteria del consiglio',
      text: ({ person, site }) => `${person} non può più gestire le persone di ${site}.`,
    },
    addressChanged: {
      subject: 'Il suo indirizzo e-mail è stato modificato',
      text: ({ userName }) =>
        `L’indirizzo e-mail dell’account ${userName} è stato modificato dalla segreteria del consiglio o dall’assistenza. I messaggi dell’account non arrivano più a questo indirizzo.`,
    },
  },
  tooMuchDataPage: {
    title: 'Impossibile aprire questa pagina',
    text: 'Il browser invia più dati di quanti ne possiamo accettare. Elimini i cookie di questa pagina nelle impostazioni del browser e riprovi.',
  },
  forwardingPage: {
    title: 'Un momento',
    toSignIn:
      'La stiamo reindirizzando al servizio di accesso della sua organizzazione. Se questa pagina resta aperta, scelga «Continua».',
    toApplication:
      'La stiamo riportando al portale del suo consiglio di amministrazione. Se questa pagina resta aperta, scelga «Continua».',
    button: 'Continua',
  },
};
