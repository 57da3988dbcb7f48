import type { Texts } from '../texts.ts';

export const ja: Texts = {
  secondFactorSms: ({ code, minutes }) =>
    `サインイン用のコードは ${code} です。${minutes} 分間有効です。ほかの人に教えないでください。`,
  passwordChangedMail: {
    subject: 'パスワードが変更されました',
    text: ({ at }) =>
      [
        `取締役会へのサインインに使うパスワードが ${at}（協定世界時）に変更されました。`,
        'ほかのすべての端末ではサインアウトされています。',
        '',
        'ご自身で変更された場合は、何もする必要はありません。',
        'お心当たりがない場合は、すぐに取締役会事務局にお知らせください。',
      ].join('\n'),
  },
  passwordRules: {
    minimumLength: (count) => `${count} 文字以上のパスワードを選んでください。`,
    maximumLength: (count) => `${count} 文字以内のパスワードを選んでください。`,
    notCommon: 'このパスワードは推測されやすいものです。別のものを選んでください。',
    notBreached: 'このパスワードは既知の情報漏えいに含まれています。別のものを選んでください。',
    notContainsUserName: 'ユーザー名をもとにしていないパスワードを選んでください。',
    notContainsSiteName: 'サイトの名前をもとにしていないパスワードを選んでください。',
    notReused: 'このパスワードは以前に使われています。別のものを選んでください。',
    minimumUppercase: (count) => `英大文字を ${count} 文字以上使ってください。`,
    minimumLowercase: (count) => `英小文字を ${count} 文字以上使ってください。`,
    minimumDigits: (count) => `数字を ${count} 文字以上使ってください。`,
    minimumSpecial: (count) => `記号を ${count} 文字以上使ってください。`,
    atLeast: (count) => `文字、数字、記号についての規則のうち ${count} つ以上を満たす必要があります。`,
  },
};
