import type { Texts } from '../texts.ts';

export const fr: Texts = {
  // the plain alphabet of text messages has neither a curly apostrophe nor a non-breaking space
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${code} est votre code de connexion ${product}. Valable ${minutes} minutes. Ne le communiquez à personne.`
      : `${code} est votre code de connexion ${product} pour ${site}. Valable ${minutes} minutes. Ne le communiquez à personne.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Votre mot de passe a été modifié',
        changed:
          'Le mot de passe de votre compte a été modifié. Partout ailleurs, votre session a été fermée.',
      },
      appAdded: {
        subject: 'Une application d’authentification a été configurée',
        changed:
          'Une application d’authentification a été configurée pour votre compte. Son code vous sera désormais demandé à chaque connexion.',
      },
      appRemoved: {
        subject: 'Votre application d’authentification a été supprimée',
        changed:
          'L’application d’authentification de votre compte a été supprimée par le secrétariat du conseil ou son assistance. Votre session a été fermée partout.',
      },
      passkeyAdded: {
        subject: 'Une clé d’accès a été ajoutée',
        changed:
          'Une clé d’accès a été ajoutée à votre compte. Elle vous permet désormais de vous connecter sans mot de passe ni code.',
      },
      passkeyRemoved: {
        subject: 'Votre clé d’accès a été supprimée',
        changed:
          'Une clé d’accès de votre compte a été supprimée. Elle ne permet plus de se connecter, et votre session a été fermée partout ailleurs.',
      },
      ownAppRemoved: {
        subject: 'Votre application d’authentification a été supprimée',
        changed:
          'L’application d’authentification de votre compte a été supprimée, avec ses codes de récupération. Votre session a été fermée partout ailleurs.',
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
    },
    account: 'Compte',
    time: 'Date et heure',
    browser: 'Navigateur',
    unknownBrowser: 'inconnu',
    wasYou: 'Si c’était vous, vous n’avez rien à faire.',
    wasNotYou:
      'Si ce n’était pas vous, agissez maintenant\u00a0: nous fermerons toutes les sessions de votre compte et vous aiderons à choisir un nouveau mot de passe.',
    notMe: 'Ce n’était pas moi',
  },
  mailFrame: {
    organisation: ({ name }) => `Votre compte fait partie de\u00a0: ${name}`,
    support: ({ url }) => `Besoin d’aide\u202f? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Choisissez un mot de passe d’au moins ${count} caractères.`,
    maximumLength: (count) => `Choisissez un mot de passe d’au plus ${count} caractères.`,
    notCommon: 'Ce mot de passe est facile à deviner. Veuillez en choisir un autre.',
    notBreached: 'Ce mot de passe est apparu dans une fuite de données connue. Veuillez en choisir un autre.',
    notContainsUserName: 'Choisissez un mot de passe qui ne repose pas sur votre nom d’utilisateur.',
    notContainsSiteName: 'Choisissez un mot de passe qui ne repose pas sur le nom du portail.',
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
};
