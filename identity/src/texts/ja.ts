import type { Texts } from './texts.ts';

export const ja: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `【${product}】サインイン用のコードは ${code} です。${minutes} 分間有効です。ほかの人に教えないでください。`
      : `【${product}】${site} へのサインイン用コードは ${code} です。${minutes} 分間有効です。ほかの人に教えないでください。`,
  codeMailSubject: 'サインイン用のコード',
  newNumberSms: ({ product, code, minutes }) =>
    `【${product}】この電話番号をアカウントに登録するための確認コードは ${code} です。${minutes} 分間有効です。ほかの人に教えないでください。`,
  numberGoneSms: ({ product }) =>
    `【${product}】この番号では、アカウントのコードを受け取れなくなりました。お心当たりがない場合は、会議体事務局にご連絡ください。`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'パスワードが変更されました',
        changed:
          'アカウントのパスワードが変更されました。ほかのすべてのブラウザーからサインアウトされました。',
      },
      appAdded: {
        subject: '認証アプリが設定されました',
        changed: 'アカウントに認証アプリが設定されました。今後はサインインの際にアプリのコードが必要です。',
      },
      appRemoved: {
        subject: '認証アプリが解除されました',
        changed:
          '会議体事務局またはサポートが、アカウントの認証アプリを解除しました。すべてのブラウザーからサインアウトされました。',
      },
      passkeyAdded: {
        subject: 'パスキーが追加されました',
        changed:
          'アカウントにパスキーが追加されました。今後はパスワードとコードを入力せずにサインインできます。パスワードでサインインするときに、このパスキーを求めることがあります。',
      },
      passkeyRemoved: {
        subject: 'パスキーが削除されました',
        changed:
          'アカウントのパスキーが削除されました。このパスキーではサインインできなくなり、ほかのすべてのブラウザーからサインアウトされました。',
      },
      passkeysRemoved: {
        subject: 'すべてのパスキーが削除されました',
        changed:
          '会議体事務局またはサポートが、アカウントのパスキーをすべて削除しました。すべてのブラウザーからサインアウトされました。',
      },
      ownAppRemoved: {
        subject: '認証アプリが解除されました',
        changed:
          'アカウントの認証アプリがリカバリーコードとともに解除されました。ほかのすべてのブラウザーからサインアウトされました。',
      },
      recoveryCodeUsed: {
        subject: 'リカバリーコードが使用されました',
        changed: ({ left }) =>
          `アカウントへのサインインにリカバリーコードが使用されました。残りのリカバリーコードは ${left} 個です。`,
      },
      recoveryCodesFew: {
        subject: 'リカバリーコードが残りわずかです',
        changed: ({ left }) =>
          `アカウントへのサインインにリカバリーコードが使用されました。残りのリカバリーコードは ${left} 個です。アカウントのページで新しいコードを作成してください。`,
      },
      recoveryCodesMade: {
        subject: '新しいリカバリーコードが作成されました',
        changed: 'アカウントの新しいリカバリーコードが作成されました。以前のコードは使えません。',
      },
      phoneNumberAdded: {
        subject: '電話番号が追加されました',
        changed:
          'アカウントに、サインイン用コードを受け取る電話番号が追加されました。ほかのすべてのブラウザーからサインアウトされました。',
      },
      phoneNumberChanged: {
        subject: '電話番号が変更されました',
        changed:
          'アカウントのサインイン用コードを受け取る電話番号が変更されました。ほかのすべてのブラウザーからサインアウトされました。',
      },
      phoneNumberRemoved: {
        subject: '電話番号が削除されました',
        changed:
          'アカウントのサインイン用コードを受け取る電話番号が削除されました。ほかのすべてのブラウザーからサインアウトされました。',
      },
      officeSetNumber: {
        subject: '電話番号が変更されました',
        changed:
          '会議体事務局またはサポートが、サインイン用コードを受け取る電話番号を変更しました。すべてのブラウザーからサインアウトされました。',
      },
      officeRemovedNumber: {
        subject: '電話番号が削除されました',
        changed:
          '会議体事務局またはサポートが、サインイン用コードを受け取る電話番号を削除しました。すべてのブラウザーからサインアウトされました。',
      },
      lostPhone: {
        subject: '紛失した電話ではサインインできなくなりました',
        changed:
          '会議体事務局またはサポートが、紛失した電話に関する登録（電話番号、認証アプリ、パスキー、コードの入力が不要な端末）をアカウントから削除しました。すべてのブラウザーからサインアウトされました。',
      },
    },
    account: 'アカウント',
    time: '日時',
    browser: 'ブラウザー',
    wasYou: 'ご自身による操作、または予定されていた変更の場合は、何もする必要はありません。',
    wasNotYou:
      'お心当たりがない場合は、すぐに次のリンクを開いてください。アカウントのすべてのサインインを終了し、新しいパスワードの設定をお手伝いします。',
    notMe: '心当たりがありません',
  },
  mailFrame: {
    organisation: ({ name }) => `アカウントの所属先：${name}`,
    support: ({ url }) => `お困りの場合：${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `このパスワードは短すぎます。${count} 文字以上で設定してください。`,
    maximumLength: (count) => `このパスワードは長すぎます。${count} 文字以内で設定してください。`,
    notCommon: 'このパスワードは推測されやすいものです。別のパスワードを設定してください。',
    notBreached: 'このパスワードは既知の情報漏えいに含まれています。別のパスワードを設定してください。',
    notContainsUserName: 'このパスワードはユーザー名をもとにしています。別のパスワードを設定してください。',
    notContainsSiteName: 'このパスワードは所属組織名をもとにしています。別のパスワードを設定してください。',
    notReused: 'このパスワードは以前に使われています。別のパスワードを設定してください。',
    minimumUppercase: (count) => `英大文字を ${count} 文字以上使ってください。`,
    minimumLowercase: (count) => `英小文字を ${count} 文字以上使ってください。`,
    minimumDigits: (count) => `数字を ${count} 文字以上使ってください。`,
    minimumSpecial: (count) => `記号を ${count} 文字以上使ってください。`,
    atLeast: (count) => `英字、数字、記号についての規則のうち ${count} つ以上を満たす必要があります。`,
  },
  recoveryMails: {
    greeting: '{{name}} 様',
    passwordLink: {
      subject: 'パスワード再設定のリンク',
      request:
        '{{userName}} のパスワード再設定の申請がありました。ご本人の場合は、次のリンクを開いて設定してください。',
      validity: 'リンクは 1 回限り、{{minutes}} 分間のみ有効です。最新のリンクだけが有効です。',
      notYou:
        'お心当たりがない場合は、何もする必要はありません。このリンクを使わない限り、何も変わりません。',
      button: '新しいパスワードを設定',
    },
    invitation: {
      subject: '会議体ポータルへのアクセスについて',
      request: 'ユーザー名 {{userName}} のアカウントが作成されました。まずパスワードを設定してください。',
      validity:
        'リンクは 1 回限り、{{until}} まで有効です。期限が過ぎた場合は、会議体事務局に新しいリンクを依頼してください。',
      notYou: 'お心当たりがない場合は、何もする必要はありません。',
      button: 'パスワードを設定',
    },
    signsInElsewhere: {
      subject: 'サインインについて',
      request:
        '{{userName}} のパスワード再設定の申請がありました。所属組織を通じてサインインされているため、このサービスのパスワードはありません。',
      help: 'サインインできない場合は、所属組織の IT 部門にお問い合わせください。',
    },
    siteNames: {
      subject: 'ポータル名のお知らせ',
      list: 'ご利用いただける会議体と、サインインのときに入力するポータル名は次のとおりです。',
      none: '現在、ご利用いただける会議体はありません。会議体事務局にお問い合わせください。',
      signIn: 'サインイン',
      notYou: 'お心当たりがない場合は、何もする必要はありません。',
    },
  },
  boardMails: {
    notExpected: 'お心当たりがない場合は、会議体事務局またはサポートにお問い合わせください。',
    newBoard: {
      subject: '別の会議体を利用できるようになりました',
      text: ({ site, userName }) =>
        `${site} を利用できるようになりました。ユーザー名 ${userName} でサインインしてください。`,
      button: 'サインイン',
    },
    administratorAdded: {
      subject: '会議体事務局に新しい担当者が加わりました',
      text: ({ person, site }) => `${person} さんが ${site} のメンバーを管理できるようになりました。`,
    },
    administratorRemoved: {
      subject: '会議体事務局の担当者に変更がありました',
      text: ({ person, site }) => `${person} さんは ${site} のメンバーを管理できなくなりました。`,
    },
    addressChanged: {
      subject: 'メールアドレスが変更されました',
      text: ({ userName }) =>
        `会議体事務局またはサポートが、アカウント ${userName} のメールアドレスを変更しました。このアカウントに関するメッセージは、今後このアドレスに届きません。`,
    },
  },
  tooMuchDataPage: {
    title: 'このページを開けません',
    text: 'ブラウザーから送信されるデータが多すぎるため、受け付けられません。ブラウザーの設定でこのページの Cookie を削除してから、もう一度お試しください。',
  },
  forwardingPage: {
    title: 'しばらくお待ちください',
    toSignIn:
      '所属組織のサインインサービスに移動しています。このページが開いたままの場合は、「続ける」を選んでください。',
    toApplication: '会議体ポータルに戻ります。このページが開いたままの場合は、「続ける」を選んでください。',
    button: '続ける',
  },
};
