import type { Texts } from '../texts.ts';

export const it: Texts = {
  secondFactorSms: ({ code, minutes }) =>
    `${code} è il suo codice di accesso. Vale ${minutes} minuti. Non lo comunichi a nessuno.`,
  passwordChangedMail: {
    subject: 'La sua password è stata cambiata',
    text: ({ at }) =>
      [
        `La password con cui accede ai suoi consigli è stata cambiata il ${at} (UTC).`,
        'Su tutti gli altri dispositivi la sessione è stata chiusa.',
        '',
        'Se l’ha cambiata lei, non deve fare nulla.',
        'Se non l’ha cambiata lei, avvisi subito la segreteria del consiglio.',
      ].join('\n'),
  },
  passwordRules: {
    minimumLength: (count) => `Scelga una password di almeno ${count} caratteri.`,
    maximumLength: (count) => `Scelga una password di al massimo ${count} caratteri.`,
    notCommon: 'Questa password è tra le prime che qualcuno proverebbe. Ne scelga un’altra.',
    notBreached: 'Questa password è apparsa in una fuga di dati nota. Ne scelga un’altra.',
    notContainsUserName: 'Scelga una password che non si basi sul suo nome utente.',
    notContainsSiteName: 'Scelga una password che non si basi sul nome del sito.',
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
};
