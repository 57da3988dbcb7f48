import type { RecoveryWords } from '../recovery-words.ts';

export const japanese: RecoveryWords = {
  greeting: '{{name}} 様',
  passwordLink: {
    subject: '新しいパスワードのリンク',
    request:
      '{{userName}} のパスワード再設定の申請がありました。ご本人の場合は、次のリンクを開いて設定してください。',
    validity: 'リンクは 1 回限り、{{minutes}} 分間のみ有効です。最新のリンクだけが有効です。',
    notYou: 'お心当たりがない場合は、何もする必要はありません。パスワードはそのままです。',
    button: '新しいパスワードを設定',
  },
  invitation: {
    subject: '取締役会へのアクセスについて',
    request: 'ユーザー名 {{userName}} のアカウントが作成されました。まずパスワードを設定してください。',
    validity:
      'リンクは 1 回限り、{{until}} まで有効です。期限が過ぎた場合は、取締役会事務局から新しいリンクを送信できます。',
    button: 'パスワードを設定',
  },
  signsInElsewhere: {
    subject: 'サインインについて',
    request:
      '{{userName}} のパスワード再設定の申請がありました。所属組織を通じてサインインされているため、ここにはパスワードがありません。',
    help: 'サインインできない場合は、所属組織の IT 部門にお問い合わせください。',
  },
  siteNames: {
    subject: 'ご利用いただけるポータル',
    list: 'ご利用いただけるポータルと、サインインのときに入力する名前は次のとおりです。',
    none: '現在、ご利用いただけるポータルはありません。取締役会事務局にお問い合わせください。',
    signIn: 'サインイン',
    notYou: 'お心当たりがない場合は、何もする必要はありません。',
  },
};
