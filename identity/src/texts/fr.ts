import type { Texts } from './texts.ts';

export const fr: Texts = {
  // the plain alphabet of text messages has neither a curly apostrophe nor a non-breaking space
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${code} est votre code de connexion ${product}. Valable ${minutes} minutes. Ne le communiquez à personne.`
      : `${code} est votre code de connexion ${product} pour ${site}. Valable ${minutes} minutes. Ne le communiquez à personne.`,
  codeMailSubject: 'Votre code de connexion',
  newNumberSms: ({ product, code, minutes }) =>
    `${code} est votre code ${product} pour confirmer ce numéro. Valable ${minutes} minutes. Ne le communiquez à personne.`,
  numberGoneSms: ({ product }) =>
    `${product} : les codes de votre compte ne sont plus envoyés à ce numéro. Si ce changement ne vient pas de vous, alertez le secrétariat du conseil.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Votre mot de passe a été modifié',
        changed:
          'Le mot de passe de votre compte a été modifié. Votre compte a été déconnecté partout ailleurs.',
      },
      appAdded: {
        subject: 'Une application d’authentification a été configurée',
        changed:
          'Une application d’authentification a été configurée pour votre compte. Son code vous sera désormais demandé à chaque connexion.',
      },
      appRemoved: {
        subject: 'Votre application d’authentification a été supprimée',
        changed:
          'L’application d’authentification de votre compte a été supprimée par le secrétariat du conseil ou par l’assistance. Votre compte a été déconnecté partout.',
      },
      passkeyAdded: {
        subject: 'Une clé d’accès a été ajoutée',
        changed:
          'Une clé d’accès a été ajoutée à votre compte. Elle vous permet désormais de vous connecter sans mot de passe ni code. Si vous vous connectez avec votre mot de passe, cette clé d’accès peut vous être demandée.',
      },
      passkeyRemoved: {
        subject: 'Votre clé d’accès a été supprimée',
        changed:
          'Une clé d’accès de votre compte a été supprimée. Elle ne permet plus de se connecter, et votre compte a été déconnecté partout ailleurs.',
      },
      passkeysRemoved: {
        subject: 'Vos clés d’accès ont été supprimées',
        changed:
          'Toutes les clés d’accès de votre compte ont été supprimées par le secrétariat du conseil ou par l’assistance. Votre compte a été déconnecté partout.',
      },
      ownAppRemoved: {
        subject: 'Votre application d’authentification a été supprimée',
        changed:
          'L’application d’authentification de votre compte a été supprimée, avec ses codes de récupération. Votre compte a été déconnecté partout ailleurs.',
      },
      recoveryCodeUsed: {
        subject: 'Un code de récupération a été utilisé',
        changed: ({ left }) =>
          `Un code de récupération a été utilisé pour se connecter à votre compte. Codes de récupération restants\u00a0: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Il reste peu de codes de récupération',
        changed: ({ left }) =>
          `Un code de récupération a été utilisé pour se connecter à votre compte. Codes de récupération restants\u00a0: ${left}. Créez-en de nouveaux sur la page de votre compte.`,
      },
      recoveryCodesMade: {
        subject: 'De nouveaux codes de récupération ont été créés',
        changed:
          'De nouveaux codes de récupération ont été créés pour votre compte. Les précédents ne sont plus valables.',
      },
      phoneNumberAdded: {
        subject: 'Un numéro de téléphone a été ajouté',
        changed:
          'Un numéro de téléphone pour les codes de connexion a été ajouté à votre compte. Votre compte a été déconnecté partout ailleurs.',
      },
      phoneNumberChanged: {
        subject: 'Votre numéro de téléphone a été modifié',
        changed:
          'Le numéro de téléphone qui reçoit vos codes de connexion a été modifié. Votre compte a été déconnecté partout ailleurs.',
      },
      phoneNumberRemoved: {
        subject: 'Votre numéro de téléphone a été supprimé',
        changed:
          'Le numéro de téléphone qui recevait vos codes de connexion a été supprimé. Votre compte a été déconnecté partout ailleurs.',
      },
      officeSetNumber: {
        subject: 'Votre numéro de téléphone a été modifié',
        changed:
          'Le numéro de téléphone qui reçoit vos codes de connexion a été modifié par le secrétariat du conseil ou par l’assistance. Votre compte a été déconnecté partout.',
      },
      officeRemovedNumber: {
        subject: 'Votre numéro de téléphone a été supprimé',
        changed:
          'Le numéro de téléphone qui recevait vos codes de connexion a été supprimé par le secrétariat du conseil ou par l’assistance. Votre compte a été déconnecté partout.',
      },
      lostPhone: {
        subject: 'Votre téléphone perdu ne permet plus de se connecter',
        changed:
          'Votre téléphone perdu a été retiré de votre compte par le secrétariat du conseil ou par l’assistance : son numéro, l’application d’authentification, les clés d’accès et les appareils sur lesquels aucun code n’était demandé. Votre compte a été déconnecté partout.',
      },
    },
    account: 'Compte',
    time: 'Date et heure',
    browser: 'Navigateur',
    wasYou: 'Si cela vient de vous ou si vous vous y attendiez, vous n’avez rien à faire.',
    wasNotYou:
      'Sinon, agissez maintenant\u00a0: nous déconnecterons votre compte partout et vous aiderons à choisir un nouveau mot de passe.',
    notMe: 'Ce n’était pas moi',
  },
  mailFrame: {
    organisation: ({ name }) => `Votre compte est rattaché à\u00a0: ${name}`,
    support: ({ url }) => `Besoin d’aide\u202f? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Ce mot de passe est trop court. Utilisez au moins ${count} caractères.`,
    maximumLength: (count) => `Ce mot de passe est trop long. Utilisez au plus ${count} caractères.`,
    notCommon: 'Ce mot de passe est facile à deviner. Veuillez en choisir un autre.',
    notBreached: 'Ce mot de passe est apparu dans une fuite de données connue. Veuillez en choisir un autre.',
    notContainsUserName: 'Ce mot de passe est tiré de votre nom d’utilisateur. Veuillez en choisir un autre.',
    notContainsSiteName:
      'Ce mot de passe est tiré du nom de votre organisation. Veuillez en choisir un autre.',
    notReused: 'Vous avez déjà utilisé ce mot de passe. Veuillez en choisir un autre.',
    minimumUppercase: (count) =>
      count === 1 ? 'Ajoutez une lettre majuscule.' : `Utilisez au moins ${count} lettres majuscules.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Ajoutez une lettre minuscule.' : `Utilisez au moins ${count} lettres minuscules.`,
    minimumDigits: (count) => (count === 1 ? 'Ajoutez un chiffre.' : `Utilisez au moins ${count} chiffres.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Ajoutez un caractère spécial.' : `Utilisez au moins ${count} caractères spéciaux.`,
    atLeast: (count) =>
      `Votre mot de passe doit remplir au moins ${count} des conditions portant sur les lettres, les chiffres et les caractères spéciaux.`,
  },
  recoveryMails: {
    greeting: 'Bonjour {{name}},',
    passwordLink: {
      subject: 'Votre lien pour un nouveau mot de passe',
      request:
        'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {{userName}}. Ouvrez ce lien pour en choisir un\u00a0:',
      validity:
        'Le lien ne peut servir qu’une fois et expire au bout de {{minutes}} minutes. Seul le lien le plus récent est valable.',
      notYou:
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: tant que ce lien n’est pas utilisé, rien ne change.',
      button: 'Choisir un nouveau mot de passe',
    },
    invitation: {
      subject: 'Votre accès à vos conseils d’administration',
      request:
        'Un compte avec le nom d’utilisateur {{userName}} a été créé pour vous. Choisissez un mot de passe pour commencer\u00a0:',
      validity:
        'Le lien ne peut servir qu’une fois, jusqu’au {{until}}. Ensuite, le secrétariat du conseil peut vous en envoyer un nouveau.',
      notYou: 'Si vous n’attendiez pas cette invitation, vous n’avez rien à faire.',
      button: 'Choisir un mot de passe',
    },
    signsInElsewhere: {
      subject: 'Votre connexion',
      request:
        'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {{userName}}. Vous vous connectez via votre organisation\u00a0: aucun mot de passe n’est enregistré ici.',
      help: 'Si vous ne pouvez pas vous connecter, adressez-vous à votre service informatique.',
    },
    siteNames: {
      subject: 'Vos noms de portail',
      list: 'Voici les conseils d’administration auxquels vous avez accès, chacun avec le nom du portail à saisir lors de la connexion\u00a0:',
      none: 'Vous n’avez accès à aucun conseil d’administration pour le moment. Adressez-vous au secrétariat du conseil.',
      signIn: 'Se connecter',
      notYou: 'Si vous n’avez rien demandé, vous n’avez rien à faire.',
    },
  },
  boardMails: {
    notExpected: 'Si vous ne vous y attendiez pas, contactez le secrétariat du conseil ou l’assistance.',
    newBoard: {
      subject: 'Vous avez accès à un autre conseil d’administration',
      text: ({ site, userName }) =>
        `Vous avez désormais accès à ${site}. Connectez-vous avec le nom d’utilisateur ${userName}.`,
      button: 'Se connecter',
    },
    administratorAdded: {
      subject: 'Un nouveau membre du secrétariat du conseil',
      text: ({ person, site }) => `${person} peut désormais gérer les personnes de ${site}.`,
    },
    administratorRemoved: {
      subject: 'Un membre a quitté le secrétariat du conseil',
      text: ({ person, site }) => `${person} ne peut plus gérer les personnes de ${site}.`,
    },
    addressChanged: {
      subject: 'Votre adresse e-mail a été modifiée',
      text: ({ userName }) =>
        `L’adresse e-mail du compte ${userName} a été modifiée par le secrétariat du conseil ou par l’assistance. Les messages de ce compte n’arrivent plus à cette adresse.`,
    },
  },
  tooMuchDataPage: {
    title: 'Cette page ne peut pas être ouverte',
    text: 'Votre navigateur envoie plus de données que nous ne pouvons en accepter. Supprimez les cookies de cette page dans les paramètres du navigateur, puis réessayez.',
  },
  forwardingPage: {
    title: 'Un instant',
    toSignIn:
      'Nous vous dirigeons vers le service de connexion de votre organisation. Si cette page reste affichée, choisissez «\u00a0Continuer\u00a0».',
    toApplication:
      'Nous vous ramenons au portail de votre conseil d’administration. Si cette page reste affichée, choisissez «\u00a0Continuer\u00a0».',
    button: 'Continuer',
  },
};
