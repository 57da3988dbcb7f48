import type { RecoveryWords } from '../recovery-words.ts';

export const french: RecoveryWords = {
  greeting: 'Bonjour {{name}},',
  passwordLink: {
    subject: 'Votre lien pour un nouveau mot de passe',
    request:
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {{userName}}. Ouvrez ce lien pour en choisir un\u00a0:',
    validity:
      'Le lien sert une seule fois, pendant {{minutes}} minutes. Seul le lien le plus récent est valable.',
    notYou: 'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: votre mot de passe reste le même.',
    button: 'Choisir un nouveau mot de passe',
  },
  invitation: {
    subject: 'Votre accès à vos conseils',
    request:
      'Un compte avec le nom d’utilisateur {{userName}} a été créé pour vous. Choisissez un mot de passe pour commencer\u00a0:',
    validity:
      'Le lien sert une seule fois, jusqu’au {{until}}. Ensuite, le secrétariat du conseil peut vous en envoyer un nouveau.',
    button: 'Choisir un mot de passe',
  },
  signsInElsewhere: {
    subject: 'Votre connexion',
    request:
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {{userName}}. Vous vous connectez via votre organisation\u00a0: aucun mot de passe n’est enregistré ici.',
    help: 'Si vous ne pouvez pas vous connecter, adressez-vous à votre service informatique.',
  },
  siteNames: {
    subject: 'Vos portails',
    list: 'Voici les portails auxquels vous avez accès, chacun avec le nom à saisir lors de la connexion\u00a0:',
    none: 'Vous n’avez accès à aucun portail pour le moment. Adressez-vous au secrétariat du conseil.',
    signIn: 'Se connecter',
    notYou: 'Si vous n’avez rien demandé, vous n’avez rien à faire.',
  },
};
