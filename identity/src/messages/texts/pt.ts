import type { Texts } from '../texts.ts';

export const pt: Texts = {
  secondFactorSms: ({ code, minutes }) =>
    `${code} é o seu código de acesso. Ele vale por ${minutes} minutos. Não o compartilhe com ninguém.`,
  passwordChangedMail: {
    subject: 'Sua senha foi alterada',
    text: ({ at }) =>
      [
        `A senha com que você acessa seus conselhos foi alterada em ${at} (UTC).`,
        'Nos demais dispositivos, sua sessão foi encerrada.',
        '',
        'Se foi você, não precisa fazer nada.',
        'Se não foi você, avise imediatamente a secretaria do conselho.',
      ].join('\n'),
  },
  passwordRules: {
    minimumLength: (count) => `Escolha uma senha com pelo menos ${count} caracteres.`,
    maximumLength: (count) => `Escolha uma senha com no máximo ${count} caracteres.`,
    notCommon: 'Esta senha é uma das primeiras que alguém tentaria. Escolha outra.',
    notBreached: 'Esta senha apareceu em um vazamento de dados conhecido. Escolha outra.',
    notContainsUserName: 'Escolha uma senha que não se baseie no seu nome de usuário.',
    notContainsSiteName: 'Escolha uma senha que não se baseie no nome do site.',
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
