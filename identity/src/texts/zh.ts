import type { Texts } from './texts.ts';

export const zh: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `【${product}】您的登录验证码是 ${code}，${minutes} 分钟内有效。请勿告知他人。`
      : `【${product}】您在 ${site} 的登录验证码是 ${code}，${minutes} 分钟内有效。请勿告知他人。`,
  codeMailSubject: '您的登录验证码',
  newNumberSms: ({ product, code, minutes }) =>
    `【${product}】您正在为账户确认此手机号码，验证码是 ${code}，${minutes} 分钟内有效。请勿告知他人。`,
  numberGoneSms: ({ product }) =>
    `【${product}】此号码不再接收您账户的验证码。如果不是您本人更改，请联系董事会办公室。`,
  accountChangedMail: {
    changes: {
      password: {
        subject: '您的密码已更改',
        changed: '您账户的密码已更改。其他浏览器均已退出登录。',
      },
      appAdded: {
        subject: '已设置身份验证器应用',
        changed: '您的账户已设置身份验证器应用。今后登录时需要输入该应用中的验证码。',
      },
      appRemoved: {
        subject: '您的身份验证器应用已移除',
        changed: '董事会办公室或支持人员已移除您账户的身份验证器应用。所有浏览器均已退出登录。',
      },
      passkeyAdded: {
        subject: '已添加通行密钥',
        changed:
          '您的账户已添加通行密钥。今后可用它登录，无需密码和验证码。使用密码登录时，我们可能会要求使用此通行密钥。',
      },
      passkeyRemoved: {
        subject: '您的通行密钥已移除',
        changed: '您账户的一个通行密钥已移除，不能再用于登录。其他浏览器均已退出登录。',
      },
      passkeysRemoved: {
        subject: '您的通行密钥已全部移除',
        changed: '董事会办公室或支持人员已移除您账户的所有通行密钥。所有浏览器均已退出登录。',
      },
      ownAppRemoved: {
        subject: '您的身份验证器应用已移除',
        changed: '您账户的身份验证器应用及其恢复代码已移除。其他浏览器均已退出登录。',
      },
      recoveryCodeUsed: {
        subject: '恢复代码已被使用',
        changed: ({ left }) => `有人使用恢复代码登录了您的账户。剩余恢复代码：${left} 个。`,
      },
      recoveryCodesFew: {
        subject: '恢复代码所剩不多',
        changed: ({ left }) =>
          `有人使用恢复代码登录了您的账户。剩余恢复代码：${left} 个。请在账户页面生成新的恢复代码。`,
      },
      recoveryCodesMade: {
        subject: '已生成新的恢复代码',
        changed: '您的账户已生成新的恢复代码。之前的恢复代码不再有效。',
      },
      phoneNumberAdded: {
        subject: '已添加手机号码',
        changed: '您的账户已添加用于接收登录验证码的手机号码。其他浏览器均已退出登录。',
      },
      phoneNumberChanged: {
        subject: '您的手机号码已更改',
        changed: '您账户用于接收登录验证码的手机号码已更改。其他浏览器均已退出登录。',
      },
      phoneNumberRemoved: {
        subject: '您的手机号码已移除',
        changed: '您账户用于接收登录验证码的手机号码已移除。其他浏览器均已退出登录。',
      },
      officeSetNumber: {
        subject: '您的手机号码已更改',
        changed: '董事会办公室或支持人员已更改您账户用于接收登录验证码的手机号码。所有浏览器均已退出登录。',
      },
      officeRemovedNumber: {
        subject: '您的手机号码已移除',
        changed: '董事会办公室或支持人员已移除您账户用于接收登录验证码的手机号码。所有浏览器均已退出登录。',
      },
      lostPhone: {
        subject: '您丢失的手机已无法用于登录',
        changed:
          '董事会办公室或支持人员已从您的账户中移除丢失的手机：手机号码、身份验证器应用、通行密钥以及无需输入验证码的设备。所有浏览器均已退出登录。',
      },
    },
    account: '账户',
    time: '时间',
    browser: '浏览器',
    wasYou: '如果是您本人操作，或此更改在您预期之中，请忽略此邮件。',
    wasNotYou: '否则，请立即处理：我们将退出该账户的所有登录，并协助您设置新密码。',
    notMe: '不是我本人操作',
  },
  mailFrame: {
    organisation: ({ name }) => `您的账户属于：${name}`,
    support: ({ url }) => `需要帮助？${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `此密码太短。请使用至少 ${count} 个字符。`,
    maximumLength: (count) => `此密码太长。请使用最多 ${count} 个字符。`,
    notCommon: '此密码很容易被他人猜到。请使用其他密码。',
    notBreached: '此密码曾出现在已知的数据泄露中。请使用其他密码。',
    notContainsUserName: '此密码以您的用户名为基础。请使用其他密码。',
    notContainsSiteName: '此密码以贵机构的名称为基础。请使用其他密码。',
    notReused: '您以前使用过此密码。请使用其他密码。',
    minimumUppercase: (count) => `请至少使用 ${count} 个大写字母。`,
    minimumLowercase: (count) => `请至少使用 ${count} 个小写字母。`,
    minimumDigits: (count) => `请至少使用 ${count} 个数字。`,
    minimumSpecial: (count) => `请至少使用 ${count} 个特殊字符。`,
    atLeast: (count) => `您的密码必须至少满足字母、数字和特殊字符规则中的 ${count} 项。`,
  },
  recoveryMails: {
    greeting: '{{name}}，您好：',
    passwordLink: {
      subject: '设置新密码的链接',
      request: '有人（很可能是您本人）为 {{userName}} 申请了新密码。请打开此链接设置新密码：',
      validity: '链接只能使用一次，{{minutes}} 分钟内有效。只有最新的链接有效。',
      notYou: '如果不是您本人操作，请忽略此邮件：不使用此链接，就不会有任何更改。',
      button: '设置新密码',
    },
    invitation: {
      subject: '您的董事会访问权限',
      request: '已为您创建账户，用户名为 {{userName}}。请先设置密码：',
      validity: '链接只能使用一次，有效期至 {{until}}。过期后，董事会办公室可以重新发送。',
      notYou: '如果您对此不知情，请忽略此邮件。',
      button: '设置密码',
    },
    signsInElsewhere: {
      subject: '关于您的登录方式',
      request: '有人（很可能是您本人）为 {{userName}} 申请了新密码。您通过贵机构登录，因此这里没有您的密码。',
      help: '如果无法登录，请联系贵机构的 IT 部门。',
    },
    siteNames: {
      subject: '您的门户名称',
      list: '以下是您可访问的董事会，以及登录时需输入的门户名称：',
      none: '您目前无法访问任何董事会。请联系董事会办公室。',
      signIn: '登录',
      notYou: '如果您没有提出此请求，请忽略此邮件。',
    },
  },
  boardMails: {
    notExpected: '如果您对此不知情，请联系董事会办公室或支持人员。',
    newBoard: {
      subject: '您现在可以访问另一个董事会',
      text: ({ site, userName }) => `您现在可以访问 ${site}。请使用用户名 ${userName} 登录。`,
      button: '登录',
    },
    administratorAdded: {
      subject: '董事会办公室有新成员',
      text: ({ person, site }) => `${person} 现在可以管理 ${site} 的人员。`,
    },
    administratorRemoved: {
      subject: '一名成员已离开董事会办公室',
      text: ({ person, site }) => `${person} 不再管理 ${site} 的人员。`,
    },
    addressChanged: {
      subject: '您的邮箱已更改',
      text: ({ userName }) =>
        `董事会办公室或支持人员已更改账户 ${userName} 的邮箱。此邮箱将不再收到该账户的邮件。`,
    },
  },
  tooMuchDataPage: {
    title: '无法打开此页面',
    text: '您的浏览器发送的数据超出了我们可以接收的量。请在浏览器设置中删除此页面的 Cookie，然后重试。',
  },
  forwardingPage: {
    title: '请稍候',
    toSignIn: '正在前往贵机构的登录服务。如果此页面未自动跳转，请选择“继续”。',
    toApplication: '正在返回您的董事会门户。如果此页面未自动跳转，请选择“继续”。',
    button: '继续',
  },
};
