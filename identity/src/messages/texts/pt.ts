import type { Texts } from '../texts.ts';

export const pt: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} é o seu código de acesso. Vale por ${minutes} minutos. Não o compartilhe.`
      : `${product}: ${code} é o seu código para ${site}. Vale por ${minutes} minutos. Não o compartilhe.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Sua senha foi alterada',
        changed: 'A senha da sua conta foi alterada. Nos demais lugares, sua sessão foi encerrada.',
      },
      appAdded: {
        subject: 'Um aplicativo autenticador foi configurado',
        changed:
          'Um aplicativo autenticador foi configurado para a sua conta. A partir de agora, o código dele será pedido ao entrar.',
      },
      appRemoved: {
        subject: 'Seu aplicativo autenticador foi removido',
        changed:
          'O aplicativo autenticador da sua conta foi removido pela secretaria do conselho ou pelo suporte. Todas as suas sessões foram encerradas.',
      },
      passkeyAdded: {
        subject: 'Uma chave de acesso foi adicionada',
        changed:
          'Uma chave de acesso foi adicionada à sua conta. Agora você pode entrar com ela, sem senha e sem código.',
      },
      passkeyRemoved: {
        subject: 'Sua chave de acesso foi removida',
        changed:
          'Uma chave de acesso da sua conta foi removida. Ela não permite mais entrar, e todas as outras sessões foram encerradas.',
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
    },
    account: 'Conta',
    time: 'Data e hora',
    browser: 'Navegador',
    unknownBrowser: 'desconhecido',
    wasYou: 'Se foi você, não precisa fazer nada.',
    wasNotYou:
      'Se não foi você, aja agora: vamos encerrar todas as sessões da sua conta e ajudar você a escolher uma nova senha.',
    notMe: 'Não fui eu',
  },
  mailFrame: {
    organisation: ({ name }) => `Sua conta faz parte de: ${name}`,
    support: ({ url }) => `Precisa de ajuda? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `Escolha uma senha com pelo menos ${count} caracteres.`,
    maximumLength: (count) => `Escolha uma senha com no máximo ${count} caracteres.`,
    notCommon: 'Esta senha é fácil de adivinhar. Escolha outra.',
    notBreached: 'Esta senha apareceu em um vazamento de dados conhecido. Escolha outra.',
    notContainsUserName: 'Escolha uma senha que não se baseie no seu nome de usuário.',
    notContainsSiteName: 'Escolha uma senha que não se baseie no nome do portal.',
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
};
