import type { RecoveryWords } from '../recovery-words.ts';

export const chinese: RecoveryWords = {
  greeting: '{{name}}，您好：',
  passwordLink: {
    subject: '您的新密码链接',
    request: '有人（很可能是您本人）为 {{userName}} 申请了新密码。请打开此链接设置新密码：',
    validity: '链接只能使用一次，{{minutes}} 分钟内有效。只有最新的链接有效。',
    notYou: '如果不是您本人操作，请忽略此邮件：您的密码保持不变。',
    button: '设置新密码',
  },
  invitation: {
    subject: '您的董事会访问权限',
    request: '已为您创建账户，用户名为 {{userName}}。请先设置密码：',
    validity: '链接只能使用一次，有效期至 {{until}}。过期后，董事会办公室可以重新发送。',
    button: '设置密码',
  },
  signsInElsewhere: {
    subject: '关于您的登录方式',
    request: '有人（很可能是您本人）为 {{userName}} 申请了新密码。您通过所在机构登录，因此这里没有您的密码。',
    help: '如果无法登录，请联系贵机构的 IT 部门。',
  },
  siteNames: {
    subject: '您的站点',
    list: '以下是您可访问的站点，以及登录时需输入的名称：',
    none: '您目前无法访问任何站点。请联系董事会办公室。',
    signIn: '登录',
    notYou: '如果您没有提出此请求，请忽略此邮件。',
  },
};
