import type { RecoveryWords } from '../recovery-words.ts';

export const italian: RecoveryWords = {
  greeting: 'Buongiorno {{name}},',
  passwordLink: {
    subject: 'Il suo link per una nuova password',
    request:
      'Qualcuno, probabilmente lei, ha chiesto una nuova password per {{userName}}. Apra questo link per sceglierla:',
    validity: 'Il link vale una volta sola e per {{minutes}} minuti. Vale solo il link più recente.',
    notYou: 'Se non l’ha chiesta lei, non deve fare nulla: la sua password resta com’è.',
  },
  signsInElsewhere: {
    subject: 'Il suo accesso',
    request:
      'Qualcuno, probabilmente lei, ha chiesto una nuova password per {{userName}}. È la sua organizzazione a farla accedere, quindi qui non c’è una sua password.',
    help: 'Se non riesce ad accedere, si rivolga al suo reparto informatico.',
  },
  siteNames: {
    subject: 'I suoi siti',
    list: 'Questi sono i siti a cui appartiene. All’accesso, inserisca come sito il nome dopo i due punti:',
    none: 'Al momento non appartiene ad alcun sito. Si rivolga alla segreteria del consiglio.',
    signIn: 'Può accedere qui:',
    notYou: 'Se non ha chiesto questo messaggio, non deve fare nulla.',
  },
};
