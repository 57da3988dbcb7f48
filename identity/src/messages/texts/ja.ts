import type { Texts } from '../texts.ts';

export const ja: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `【${product}】サインイン用のコードは ${code} です。${minutes} 分間有効です。ほかの人に教えないでください。`
      : `【${product}】${site} へのサインイン用コードは ${code} です。${minutes} 分間有効です。ほかの人に教えないでください。`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'パスワードが変更されました',
        changed: 'アカウントのパスワードが変更されました。ほかのすべての端末ではサインアウトされています。',
      },
      appAdded: {
        subject: '認証アプリが設定されました',
        changed: 'アカウントに認証アプリが設定されました。今後はサインインの際にアプリのコードが必要です。',
      },
      appRemoved: {
        subject: '認証アプリが解除されました',
        changed:
          '取締役会事務局またはサポートが、アカウントの認証アプリを解除しました。すべての端末でサインアウトされています。',
      },
      passkeyAdded: {
        subject: 'パスキーが追加されました',
        changed:
          'アカウントにパスキーが追加されました。今後はパスワードとコードを入力せずにサインインできます。',
      },
      passkeyRemoved: {
        subject: 'パスキーが削除されました',
        changed:
          'アカウントのパスキーが削除されました。このパスキーではサインインできなくなり、ほかのすべての端末でサインアウトされています。',
      },
      ownAppRemoved: {
        subject: '認証アプリが解除されました',
        changed:
          'アカウントの認証アプリがリカバリーコードとともに解除されました。ほかのすべての端末でサインアウトされています。',
      },
      recoveryCodeUsed: {
        subject: 'リカバリーコードが使用されました',
        changed: ({ left }) =>
          `アカウントへのサインインにリカバリーコードが使用されました。残りのリカバリーコード：${left}`,
      },
      recoveryCodesFew: {
        subject: 'リカバリーコードが残りわずかです',
        changed: ({ left }) =>
          `アカウントへのサインインにリカバリーコードが使用されました。残りのリカバリーコード：${left}。アカウントのページで新しいコードを作成してください。`,
      },
      recoveryCodesMade: {
        subject: '新しいリカバリーコードが作成されました',
        changed: 'アカウントの新しいリカバリーコードが作成されました。以前のコードは使えません。',
      },
    },
    account: 'アカウント',
    time: '日時',
    browser: 'ブラウザー',
    unknownBrowser: '不明',
    wasYou: 'ご自身で変更された場合は、何もする必要はありません。',
    wasNotYou:
      'お心当たりがない場合は、すぐに次のボタンを押してください。アカウントのすべてのサインインを終了し、新しいパスワードの設定をお手伝いします。',
    notMe: '心当たりがありません',
  },
  mailFrame: {
    organisation: ({ name }) => `アカウントの所属先：${name}`,
    support: ({ url }) => `お困りの場合：${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `${count} 文字以上のパスワードを選んでください。`,
    maximumLength: (count) => `${count} 文字以内のパスワードを選んでください。`,
    notCommon: 'このパスワードは推測されやすいものです。別のパスワードを設定してください。',
    notBreached: 'このパスワードは既知の情報漏えいに含まれています。別のパスワードを設定してください。',
    notContainsUserName: 'ユーザー名をもとにしていないパスワードを設定してください。',
    notContainsSiteName: 'ポータルの名前をもとにしていないパスワードを設定してください。',
    notReused: 'このパスワードは以前に使われています。別のパスワードを設定してください。',
    minimumUppercase: (count) => `英大文字を ${count} 文字以上使ってください。`,
    minimumLowercase: (count) => `英小文字を ${count} 文字以上使ってください。`,
    minimumDigits: (count) => `数字を ${count} 文字以上使ってください。`,
    minimumSpecial: (count) => `記号を ${count} 文字以上使ってください。`,
    atLeast: (count) => `文字、数字、記号についての規則のうち ${count} つ以上を満たす必要があります。`,
  },
};
