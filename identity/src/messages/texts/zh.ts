import type { Texts } from '../texts.ts';

export const zh: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `【${product}】您的登录验证码是 ${code}，${minutes} 分钟内有效。请勿告知他人。`
      : `【${product}】您在 ${site} 的登录验证码是 ${code}，${minutes} 分钟内有效。请勿告知他人。`,
  accountChangedMail: {
    changes: {
      password: {
        subject: '您的密码已更改',
        changed: '您账户的密码已更改。您在其他地方的登录均已退出。',
      },
      appAdded: {
        subject: '已设置身份验证器应用',
        changed: '您的账户已设置身份验证器应用。今后登录时需要输入该应用中的验证码。',
      },
      appRemoved: {
        subject: '您的身份验证器应用已移除',
        changed: '您的董事会办公室或其支持人员已移除您账户的身份验证器应用。您在所有地方的登录均已退出。',
      },
      passkeyAdded: {
        subject: '已添加通行密钥',
        changed: '您的账户已添加通行密钥。今后可用它登录，无需密码和验证码。',
      },
      passkeyRemoved: {
        subject: '您的通行密钥已移除',
        changed: '您账户的一个通行密钥已移除，不能再用于登录。您在其他所有地方的登录均已退出。',
      },
      ownAppRemoved: {
        subject: '您的身份验证器应用已移除',
        changed: '您账户的身份验证器应用及其恢复代码已移除。您在其他所有地方的登录均已退出。',
      },
      recoveryCodeUsed: {
        subject: '恢复代码已被使用',
        changed: ({ left }) => `有人使用恢复代码登录了您的账户。剩余恢复代码：${left}。`,
      },
      recoveryCodesFew: {
        subject: '恢复代码所剩不多',
        changed: ({ left }) =>
          `有人使用恢复代码登录了您的账户。剩余恢复代码：${left}。请在账户页面生成新的恢复代码。`,
      },
      recoveryCodesMade: {
        subject: '已生成新的恢复代码',
        changed: '您的账户已生成新的恢复代码。之前的恢复代码不再有效。',
      },
    },
    account: '账户',
    time: '时间',
    browser: '浏览器',
    unknownBrowser: '未知',
    wasYou: '如果是您本人操作，请忽略此邮件。',
    wasNotYou: '如果不是您本人操作，请立即处理：我们将退出该账户的所有登录，并协助您设置新密码。',
    notMe: '不是我本人操作',
  },
  mailFrame: {
    organisation: ({ name }) => `您的账户属于：${name}`,
    support: ({ url }) => `需要帮助？${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `请选择至少 ${count} 个字符的密码。`,
    maximumLength: (count) => `请选择最多 ${count} 个字符的密码。`,
    notCommon: '此密码很容易被他人猜到。请使用其他密码。',
    notBreached: '此密码曾出现在已知的数据泄露中。请使用其他密码。',
    notContainsUserName: '密码不能与用户名过于相似。',
    notContainsSiteName: '密码不能与站点名称过于相似。',
    notReused: '您以前使用过此密码。请使用其他密码。',
    minimumUppercase: (count) => `请至少使用 ${count} 个大写字母。`,
    minimumLowercase: (count) => `请至少使用 ${count} 个小写字母。`,
    minimumDigits: (count) => `请至少使用 ${count} 个数字。`,
    minimumSpecial: (count) => `请至少使用 ${count} 个特殊字符。`,
    atLeast: (count) => `您的密码必须至少满足字母、数字和特殊字符规则中的 ${count} 项。`,
  },
};
