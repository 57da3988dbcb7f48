import type { Texts } from './texts.ts';

export const pt: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} é o seu código de acesso. Vale por ${minutes} minutos. Não o compartilhe.`
      : `${product}: ${code} é o seu código para ${site}. Vale por ${minutes} minutos. Não o compartilhe.`,
  codeMailSubject: 'Seu código de acesso',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: ${code} é o código para confirmar este número na sua conta. Vale por ${minutes} minutos. Não o compartilhe.`,
  numberGoneSms: ({ product }) =>
    `${product}: este número não recebe mais os códigos da sua conta. Se não foi você, avise a secretaria do conselho.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Sua senha foi alterada',
        changed: 'A senha da sua conta foi alterada. Todas as outras sessões foram encerradas.',
      },
      appAdded: {
        subject: 'Um aplicativo autenticador foi configurado',
        changed:
          'Um aplicativo autenticador foi configurado para a sua conta. A partir de agora, o código dele será pedido quando você entrar.',
      },
      appRemoved: {
        subject: 'Seu aplicativo autenticador foi removido',
        changed:
          'O aplicativo autenticador da sua conta foi removido pela secretaria do conselho ou pelo suporte. Todas as suas sessões foram encerradas.',
      },
      passkeyAdded: {
        subject: 'Uma chave de acesso foi adicionada',
        changed:
          'Uma chave de acesso foi adicionada à sua conta. Agora você pode entrar com ela, sem senha e sem código. Se você entrar com a senha, poderemos pedir esta chave de acesso.',
      },
      passkeyRemoved: {
        subject: 'Sua chave de acesso foi removida',
        changed:
          'Uma chave de acesso da sua conta foi removida. Ela não permite mais entrar, e todas as outras sessões foram encerradas.',
      },
      passkeysRemoved: {
        subject: 'Suas chaves de acesso foram removidas',
        changed:
          'Todas as chaves de acesso da sua conta foram removidas pela secretaria do conselho ou pelo suporte. Todas as suas sessões foram encerradas.',
      },
      ownAppRemoved: {
        subject: 'Seu aplicativo autenticador foi removido',
        changed:
          'O aplicativo autenticador da sua conta foi removido, com os códigos de recuperação. Todas as outras sessões foram encerradas.',
      },
      recoveryCodeUsed: {
        subject: 'Um código de recuperação foi usado',
        changed: ({ left }) =>
          `Um código de recuperação foi usado para entrar na sua conta. Códigos de recuperação restantes: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'Restam poucos códigos de recuperação',
        changed: ({ left }) =>
          `Um código de recuperação foi usado para entrar na sua conta. Códigos de recuperação restantes: ${left}. Crie novos na página da sua conta.`,
      },
      recoveryCodesMade: {
        subject: 'Novos códigos de recuperação foram criados',
        changed:
          'Novos códigos de recuperação foram criados para a sua conta. Os anteriores não funcionam mais.',
      },
      phoneNumberAdded: {
        subject: 'Um número de telefone foi adicionado',
        changed:
          'Um número de telefone para os códigos de acesso foi adicionado à sua conta. Todas as outras sessões foram encerradas.',
      },
      phoneNumberChanged: {
        subject: 'Seu número de telefone foi alterado',
        changed:
          'O número de telefone para os seus códigos de acesso foi alterado. Todas as outras sessões foram encerradas.',
      },
      phoneNumberRemoved: {
        subject: 'Seu número de telefone foi removido',
        changed:
          'O número de telefone para os seus códigos de acesso foi removido. Todas as outras sessões foram encerradas.',
      },
      officeSetNumber: {
        subject: 'Seu número de telefone foi alterado',
        changed:
          'O número de telefone para os seus códigos de acesso foi alterado pela secretaria do conselho ou pelo suporte. Todas as suas sessões foram encerradas.',
      },
      officeRemovedNumber: {
        subject: 'Seu número de telefone foi removido',
        changed:
          'O número de telefone para os seus códigos de acesso foi removido pela secretaria do conselho ou pelo suporte. Todas as suas sessões foram encerradas.',
      },
      lostPhone: {
        subject: 'Seu telefone perdido não permite mais entrar',
        changed:
          'Seu telefone perdido foi removido da sua conta pela secretaria do conselho ou pelo suporte: o número, o aplicativo autenticador, as chaves de acesso e os dispositivos em que nenhum código era pedido. Todas as suas sessões foram encerradas.',
      },
    },
    account: 'Conta',
    time: 'Data e hora',
    browser: 'Navegador',
    wasYou: 'Se foi você ou se você já esperava por isso, não precisa fazer nada.',
    wasNotYou:
      'Caso contrário, aja agora: vamos encerrar todas as sessões da sua conta e ajudar você a escolher uma nova senha.',
    notMe: 'Não fui eu',
  },
  mailFrame: {
    organisation: ({ name }) => `Sua conta pertence a: ${name}`,
    support: ({ url }) => `Precisa de ajuda? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Esta senha é curta demais. Use pelo menos ${count} caracteres.`,
    maximumLength: (count) => `Esta senha é longa demais. Use no máximo ${count} caracteres.`,
    notCommon: 'Esta senha é fácil de adivinhar. Escolha outra.',
    notBreached: 'Esta senha apareceu em um vazamento de dados conhecido. Escolha outra.',
    notContainsUserName: 'Esta senha se baseia no seu nome de usuário. Escolha outra.',
    notContainsSiteName: 'Esta senha se baseia no nome da sua organização. Escolha outra.',
    notReused: 'Você já usou esta senha. Escolha outra.',
    minimumUppercase: (count) =>
      count === 1 ? 'Acrescente uma letra maiúscula.' : `Use pelo menos ${count} letras maiúsculas.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Acrescente uma letra minúscula.' : `Use pelo menos ${count} letras minúsculas.`,
    minimumDigits: (count) => (count === 1 ? 'Acrescente um número.' : `Use pelo menos ${count} números.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Acrescente um caractere especial.' : `Use pelo menos ${count} caracteres especiais.`,
    atLeast: (count) =>
      `Sua senha deve atender a pelo menos ${count} das condições sobre letras, números e caracteres especiais.`,
  },
  recoveryMails: {
    greeting: 'Olá, {{name}},',
    passwordLink: {
      subject: 'Seu link para uma nova senha',
      request:
        'Alguém, provavelmente você, solicitou uma nova senha para {{userName}}. Abra este link para escolher uma:',
      validity: 'O link vale uma única vez e por {{minutes}} minutos. Só o link mais recente vale.',
      notYou: 'Se não foi você, não precisa fazer nada: enquanto este link não for usado, nada muda.',
      button: 'Escolher uma nova senha',
    },
    invitation: {
      subject: 'Seu acesso aos seus conselhos de administração',
      request:
        'Uma conta com o nome de usuário {{userName}} foi criada para você. Escolha uma senha para começar:',
      validity:
        'O link vale uma única vez, até {{until}}. Depois, a secretaria do conselho pode enviar outro.',
      notYou: 'Se você não esperava este convite, não precisa fazer nada.',
      button: 'Escolher uma senha',
    },
    signsInElsewhere: {
      subject: 'Seu acesso',
      request:
        'Alguém, provavelmente você, solicitou uma nova senha para {{userName}}. Você entra pela sua organização, por isso não tem senha aqui.',
      help: 'Se não conseguir entrar, fale com a área de TI.',
    },
    siteNames: {
      subject: 'Seus nomes de portal',
      list: 'Estes são os conselhos de administração aos quais você tem acesso, cada um com o nome do portal a digitar ao entrar:',
      none: 'No momento, você não tem acesso a nenhum conselho de administração. Fale com a secretaria do conselho.',
      signIn: 'Entrar',
      notYou: 'Se você não solicitou isto, não precisa fazer nada.',
    },
  },
  boardMails: {
    notExpected: 'Se você não esperava isso, entre em contato com a secretaria do conselho ou com o suporte.',
    newBoard: {
      subject: 'Agora você tem acesso a outro conselho de administração',
      text: ({ site, userName }) =>
        `Agora você tem acesso a ${site}. Entre com o nome de usuário ${userName}.`,
      button: 'Entrar',
    },
    administratorAdded: {
      subject: 'Um novo membro da secretaria do conselho',
      text: ({ person, site }) => `${person} agora pode gerenciar as pessoas de ${site}.`,
    },
    administratorRemoved: {
      subject: 'Um membro deixou a secretaria do conselho',
      text: ({ person, site }) => `${person} não pode mais gerenciar as pessoas de ${site}.`,
    },
    addressChanged: {
      subject: 'Seu endereço de e-mail foi alterado',
      text: ({ userName }) =>
        `O endereço de e-mail da conta ${userName} foi alterado pela secretaria do conselho ou pelo suporte. As mensagens da conta não chegam mais a este endereço.`,
    },
  },
  tooMuchDataPage: {
    title: 'Não é possível abrir esta página',
    text: 'Seu navegador envia mais dados do que podemos aceitar. Exclua os cookies desta página nas configurações do navegador e tente novamente.',
  },
  forwardingPage: {
    title: 'Um momento',
    toSignIn:
      'Estamos levando você ao serviço de acesso da sua organização. Se esta página continuar aberta, escolha “Continuar”.',
    toApplication:
      'Estamos levando você de volta ao portal do seu conselho de administração. Se esta página continuar aberta, escolha “Continuar”.',
    button: 'Continuar',
  },
};
