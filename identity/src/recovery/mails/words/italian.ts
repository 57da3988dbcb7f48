import type { RecoveryWords } from '../recovery-words.ts';

export const italian: RecoveryWords = {
  greeting: 'Buongiorno {{name}},',
  passwordLink: {
    subject: 'Il suo link per una nuova password',
    request:
      'Qualcuno, probabilmente lei, ha richiesto una nuova password per {{userName}}. Apra questo link per sceglierla:',
    validity: 'Il link vale una volta sola e per {{minutes}} minuti. Vale solo il link più recente.',
    notYou: 'Se non l’ha richiesta lei, non deve fare nulla: la sua password resta com’è.',
    button: 'Scegli una nuova password',
  },
  invitation: {
    subject: 'Il suo accesso ai consigli',
    request:
      'È stato creato per lei un account con il nome utente {{userName}}. Per iniziare scelga una password:',
    validity:
      'Il link vale una volta sola. Scadenza: {{until}}. In seguito la segreteria del consiglio può inviargliene uno nuovo.',
    button: 'Scegli una password',
  },
  signsInElsewhere: {
    subject: 'Il suo accesso',
    request:
      'Qualcuno, probabilmente lei, ha richiesto una nuova password per {{userName}}. Lei accede tramite la sua organizzazione, quindi qui non c’è una sua password.',
    help: 'Se non riesce ad accedere, si rivolga al suo reparto informatico.',
  },
  siteNames: {
    subject: 'I suoi portali',
    list: 'Questi sono i portali a cui ha accesso, ciascuno con il nome da inserire all’accesso:',
    none: 'Al momento non ha accesso ad alcun portale. Si rivolga alla segreteria del consiglio.',
    signIn: 'Accedi',
    notYou: 'Se non ha richiesto questo messaggio, non deve fare nulla.',
  },
};
